package io.leaderelection.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.store.Owner;
import io.leaderelection.zookeeper.Session.Created;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;

/**
 * Puts this store's candidates in line.
 */
final class Candidates {

	private final Session session;

	private final OwnLeases own;

	Candidates(Session session, OwnLeases own) {
		this.session = session;
		this.own = own;
	}

	/**
	 * Stands for an election, unless the candidate does already.
	 * @param election the election
	 * @param owner the candidate
	 * @param look what was read of the election
	 * @return completed with the candidate's node
	 */
	CompletableFuture<Created> stand(String election, Owner owner, Look look) {
		List<Candidate> present = look.candidates()
			.stream()
			.filter((candidate) -> candidate.isOf(owner, this.session.id()))
			.toList();
		if (present.isEmpty()) {
			String path = look.path() + "/" + Candidate.prefix(owner, this.session.id());
			byte[] nodeId = NodeNames.encode(owner.nodeId()).getBytes(StandardCharsets.UTF_8);
			return this.session.create(path, nodeId, CreateMode.EPHEMERAL_SEQUENTIAL).thenApply(Optional::orElseThrow);
		}
		// a node too many is there if the answer to its creation was lost
		present.stream().skip(1).forEach((surplus) -> this.session.delete(look.pathOf(surplus)));
		String path = look.pathOf(present.get(0));
		return this.own.czxid(election, owner, path)
			.map((czxid) -> CompletableFuture.completedFuture(new Created(path, czxid)))
			.orElseGet(() -> this.session.stat(path, null)
				.thenApply((stat) -> new Created(path, stat.map(Stat::getCzxid).orElse(0L))));
	}

}
