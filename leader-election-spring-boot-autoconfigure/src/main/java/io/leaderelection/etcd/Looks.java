package io.leaderelection.etcd;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.etcd.jetcd.ByteSequence;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads elections, many in one request.
 */
final class Looks {

	private static final Log logger = LogFactory.getLog(Looks.class);

	private final Keys keys;

	private final Sightings sightings;

	private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

	Looks(Keys keys, Sightings sightings) {
		this.keys = keys;
		this.sightings = sightings;
	}

	/**
	 * Reads the records and the proofs of life of those who hold the leases. Mostly they
	 * are those who held them before, so that both are read by the same request.
	 */
	List<Look> at(Etcd etcd, List<String> elections) {
		List<String> expected = List.copyOf(this.sightings.holders(elections));
		List<ByteSequence> wanted = new ArrayList<>(elections.stream().map(this.keys::record).toList());
		expected.forEach((session) -> wanted.add(this.keys.proof(session)));
		List<Seen> seen = read(etcd, wanted);
		Map<String, Seen> proofs = new HashMap<>();
		for (int i = 0; i < expected.size(); i++) {
			proofs.put(expected.get(i), seen.get(elections.size() + i));
		}
		List<@Nullable LeaseRecord> records = new ArrayList<>(elections.size());
		Set<String> others = new LinkedHashSet<>();
		for (int i = 0; i < elections.size(); i++) {
			LeaseRecord record = parse(elections.get(i), seen.get(i));
			records.add(record);
			if (record != null && record.session() != null && !proofs.containsKey(record.session())) {
				others.add(record.session());
			}
		}
		List<String> missing = List.copyOf(others);
		List<Seen> found = read(etcd, missing.stream().map(this.keys::proof).toList());
		for (int i = 0; i < missing.size(); i++) {
			proofs.put(missing.get(i), found.get(i));
		}
		return seen(elections, seen, records, proofs);
	}

	private List<Seen> read(Etcd etcd, List<ByteSequence> wanted) {
		List<CompletableFuture<List<Seen>>> answers = new ArrayList<>();
		for (int i = 0; i < wanted.size(); i += Etcd.OPERATIONS_PER_REQUEST) {
			answers.add(etcd.read(wanted.subList(i, Math.min(i + Etcd.OPERATIONS_PER_REQUEST, wanted.size()))));
		}
		return etcd.awaitAll(answers).stream().flatMap(List::stream).toList();
	}

	private List<Look> seen(List<String> elections, List<Seen> seen, List<@Nullable LeaseRecord> records,
			Map<String, Seen> proofs) {
		List<Look> looks = new ArrayList<>(elections.size());
		for (int i = 0; i < elections.size(); i++) {
			LeaseRecord record = records.get(i);
			String session = (record != null) ? record.session() : null;
			Seen proof = (session != null) ? proofs.getOrDefault(session, Seen.NOTHING) : Seen.NOTHING;
			this.sightings.sawRecord(elections.get(i), seen.get(i), session);
			looks.add(new Look(elections.get(i), seen.get(i), record, proof));
		}
		proofs.forEach(this.sightings::sawProof);
		return looks;
	}

	/** What a record means that a watch has shown. */
	Look shown(String election, Seen seen) {
		LeaseRecord record = parse(election, seen);
		this.sightings.sawRecord(election, seen, (record != null) ? record.session() : null);
		return new Look(election, seen, record, Seen.NOTHING);
	}

	private @Nullable LeaseRecord parse(String election, Seen seen) {
		ByteSequence value = seen.value();
		if (value == null) {
			return null;
		}
		try {
			LeaseRecord record = LeaseRecord.parse(value);
			this.unreadable.remove(election);
			return record;
		}
		catch (IllegalArgumentException ex) {
			if (this.unreadable.add(election)) {
				logger.warn(("The key '%s' does not hold the record of an election, so that nobody can be elected: "
						+ "delete it when nobody leads any more")
					.formatted(this.keys.record(election)), ex);
			}
			return null;
		}
	}

}
