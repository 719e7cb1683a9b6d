package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.leaderelection.zookeeper.LeaseRecord.Held;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;

/**
 * What one session watches on behalf of refused candidates: the record, and who is next
 * before them in line. When the record changes, whoever is the first in line asks at
 * once, and the others if that one has not taken the lease. Whoever stands directly
 * behind the holder also watches the holder's proofs of life, so that its timer ends with
 * the lease. Nobody else does, so the cost of a proof of life does not grow with the
 * number of candidates.
 */
final class Watches {

	/** What the next in line needs to take a lease, if the servers are not far away. */
	private static final Duration TURN = Duration.ofMillis(25);

	private final Session session;

	private final Tree tree;

	private final Hints hints;

	private final Sightings sightings;

	private final Set<String> armed = ConcurrentHashMap.newKeySet();

	/**
	 * The elections in which another candidate stands between this one and the holder.
	 */
	private final Set<String> behindOthers = ConcurrentHashMap.newKeySet();

	/** By election: the session of the holder that this node stands directly behind. */
	private final Map<String, Long> ahead = new ConcurrentHashMap<>();

	private final Map<String, CompletableFuture<List<OpResult>>> readAhead = new ConcurrentHashMap<>();

	Watches(Session session, Tree tree, Hints hints, Sightings sightings) {
		this.session = session;
		this.tree = tree;
		this.hints = hints;
		this.sightings = sightings;
	}

	/**
	 * Watches an election for a candidate that was refused.
	 * @param election the election
	 * @param look what it was refused by
	 * @param own the candidate's own node
	 */
	void follow(String election, Look look, String own) {
		int version = look.version();
		Optional<Candidate> before = before(look, own);
		Held held = (look.record() instanceof Held present) ? present : null;
		boolean next = before.filter((candidate) -> held == null || !candidate.isOf(held.owner(), held.session()))
			.isEmpty();
		if (held == null || next) {
			this.behindOthers.remove(election);
		}
		else {
			this.behindOthers.add(election);
		}
		arm(look.path(), (stat) -> {
			if (stat.map(Stat::getVersion).filter((present) -> present == version).isEmpty()) {
				recordChanged(election, look.path());
			}
		}, () -> recordChanged(election, look.path()));
		if (held != null && next) {
			this.ahead.put(election, held.session());
			followProofs(held.session());
		}
		else {
			this.ahead.remove(election);
		}
		before.ifPresent((candidate) -> arm(look.pathOf(candidate), (stat) -> {
			if (stat.isEmpty()) {
				this.hints.wakeUp(election);
			}
		}, () -> this.hints.wakeUp(election)));
	}

	/** All hear of it, but if all asked at once, all but one would ask in vain. */
	private void recordChanged(String election, String path) {
		if (this.behindOthers.contains(election)) {
			this.hints.wakeUp(election, TURN);
			return;
		}
		this.readAhead.put(election, this.session.read(List.of(Op.getData(path), Op.getChildren(path))));
		this.hints.wakeUp(election);
	}

	/**
	 * What was read when the record last changed, and not been asked for yet. It may be
	 * older than the question, so nobody is refused by it.
	 */
	Optional<List<OpResult>> readAhead(String election) {
		CompletableFuture<List<OpResult>> answer = this.readAhead.remove(election);
		if (answer == null || answer.isCompletedExceptionally()) {
			return Optional.empty();
		}
		return Optional.of(this.session.await(answer));
	}

	void unfollow(String election) {
		this.ahead.remove(election);
	}

	/** Who is before a candidate: those who came earlier, and before them the holder. */
	private static Optional<Candidate> before(Look look, String own) {
		List<Candidate> line = look.candidates();
		Optional<Candidate> holder = (look.record() instanceof Held held)
				? line.stream().filter((candidate) -> candidate.isOf(held.owner(), held.session())).findFirst()
				: Optional.empty();
		Candidate last = null;
		for (Candidate candidate : line) {
			if (look.pathOf(candidate).equals(own)) {
				break;
			}
			if (holder.filter(candidate::equals).isEmpty()) {
				last = candidate;
			}
		}
		return Optional.ofNullable(last).or(() -> holder);
	}

	private void followProofs(long holder) {
		arm(this.tree.session(holder), (stat) -> this.sightings.sawProof(holder, stat), () -> {
			if (this.ahead.containsValue(holder)) {
				followProofs(holder);
			}
		});
	}

	private void arm(String path, Consumer<Optional<Stat>> present, Runnable changed) {
		if (!this.armed.add(path)) {
			return;
		}
		this.session.stat(path, (event) -> {
			if (event.getType() != EventType.None && this.armed.remove(path)) {
				changed.run();
			}
		}).whenComplete((stat, failure) -> {
			if (failure != null) {
				this.armed.remove(path);
			}
			else {
				present.accept(stat);
			}
		});
	}

}
