package io.leaderelection.zookeeper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.leaderelection.zookeeper.LeaseRecord.Free;
import io.leaderelection.zookeeper.LeaseRecord.Held;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/**
 * Reads elections, many in one request.
 */
class Looks {

	private static final Log logger = LogFactory.getLog(Looks.class);

	private static final int ELECTIONS_PER_REQUEST = 100;

	private final Tree tree;

	private final Sightings sightings;

	private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

	Looks(Tree tree, Sightings sightings) {
		this.tree = tree;
		this.sightings = sightings;
	}

	List<Look> at(Session session, List<String> elections) {
		List<Look> looks = new ArrayList<>(elections.size());
		for (int i = 0; i < elections.size(); i += ELECTIONS_PER_REQUEST) {
			looks.addAll(request(session, elections.subList(i, Math.min(i + ELECTIONS_PER_REQUEST, elections.size()))));
		}
		return looks;
	}

	/**
	 * What was read of an election when its record changed, if that shows a lease which
	 * is free: worth a try before anything is read again.
	 */
	Optional<Look> ahead(Session session, String election) {
		String path = this.tree.election(election);
		return session.watches()
			.readAhead(election)
			.map((results) -> look(path, results.get(0), results.get(1)))
			.filter((look) -> look.record() instanceof Free);
	}

	/**
	 * Those who held the leases when they were last read will mostly hold them still, so
	 * their proofs of life are asked for along with the records.
	 */
	private List<Look> request(Session session, List<String> elections) {
		List<String> paths = elections.stream().map(this.tree::election).toList();
		List<Long> expected = List.copyOf(this.sightings.holders(paths));
		List<Op> reads = new ArrayList<>();
		for (String path : paths) {
			reads.add(Op.getData(path));
			reads.add(Op.getChildren(path));
		}
		expected.forEach((holder) -> reads.add(Op.getData(this.tree.session(holder))));
		session.catchUp(paths.get(0));
		List<OpResult> results = session.await(session.read(reads));
		Map<Long, Optional<Stat>> proofs = proofs(expected, results.subList(2 * paths.size(), results.size()));
		List<Look> looks = new ArrayList<>(paths.size());
		Set<Long> others = new LinkedHashSet<>();
		for (int i = 0; i < paths.size(); i++) {
			Look look = look(paths.get(i), results.get(2 * i), results.get(2 * i + 1));
			looks.add(look);
			if (look.record() instanceof Held held && !proofs.containsKey(held.session())) {
				others.add(held.session());
			}
		}
		if (!others.isEmpty()) {
			List<Long> missing = List.copyOf(others);
			CompletableFuture<List<OpResult>> answer = session
				.read(missing.stream().map((holder) -> Op.getData(this.tree.session(holder))).toList());
			proofs.putAll(proofs(missing, session.await(answer)));
		}
		return seen(looks, proofs);
	}

	private static Map<Long, Optional<Stat>> proofs(List<Long> holders, List<OpResult> results) {
		Map<Long, Optional<Stat>> proofs = new HashMap<>();
		for (int i = 0; i < holders.size(); i++) {
			proofs.put(holders.get(i), (results.get(i) instanceof OpResult.GetDataResult node)
					? Optional.of(node.getStat()) : Optional.empty());
		}
		return proofs;
	}

	private Look look(String path, OpResult data, OpResult children) {
		List<Candidate> candidates = (children instanceof OpResult.GetChildrenResult known)
				? Candidate.inLine(known.getChildren()) : List.of();
		if (!(data instanceof OpResult.GetDataResult node)) {
			return new Look(path, null, null, false, candidates, Optional.empty());
		}
		byte[] bytes = node.getData();
		if (bytes == null || bytes.length == 0) {
			return new Look(path, node.getStat(), null, false, candidates, Optional.empty());
		}
		try {
			LeaseRecord record = LeaseRecord.parse(bytes);
			this.unreadable.remove(path);
			return new Look(path, node.getStat(), record, false, candidates, Optional.empty());
		}
		catch (IllegalArgumentException ex) {
			if (this.unreadable.add(path)) {
				logger.warn(("The node '%s' does not contain the record of an election, so that nobody can be elected: "
						+ "delete it when nobody leads any more")
					.formatted(path), ex);
			}
			return new Look(path, node.getStat(), null, true, candidates, Optional.empty());
		}
	}

	private List<Look> seen(List<Look> looks, Map<Long, Optional<Stat>> proofs) {
		this.sightings.saw(looks, proofs);
		List<Look> complete = new ArrayList<>(looks.size());
		for (Look look : looks) {
			complete.add((look.record() instanceof Held held)
					? look.with(proofs.getOrDefault(held.session(), Optional.empty())) : look);
		}
		return complete;
	}

}
