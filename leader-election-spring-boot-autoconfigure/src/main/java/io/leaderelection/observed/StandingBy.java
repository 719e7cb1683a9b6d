package io.leaderelection.observed;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells the store what its candidates stand by for: when that is new, and otherwise twice
 * in a lease, for all elections of a node at once. No leadership waits for it, so a
 * failure is no more than told.
 */
final class StandingBy {

	private static final Log logger = LogFactory.getLog(StandingBy.class);

	private static final int LEASES_UNTIL_FORGOTTEN = 2;

	private final LeaseRecords records;

	private final LongSupplier nanos;

	private final Map<Owner, Standing> standings = new HashMap<>();

	private boolean failing;

	StandingBy(LeaseRecords records, LongSupplier nanos) {
		this.records = records;
		this.nanos = nanos;
	}

	synchronized void answered(List<Candidacy> candidacies, List<AcquireResult> answers, Limit limit) {
		long now = this.nanos.getAsLong();
		for (int i = 0; i < candidacies.size(); i++) {
			Candidacy candidacy = candidacies.get(i);
			Standing standing = this.standings.computeIfAbsent(candidacy.owner(), (owner) -> new Standing());
			if (answers.get(i) instanceof Held) {
				standing.asked.put(candidacy.election(), new Asked(now, candidacy.duration()));
			}
			else {
				standing.asked.remove(candidacy.election());
			}
		}
		this.standings.forEach((owner, standing) -> {
			if (standing.isToBeTold(now)) {
				tell(owner, standing, now, limit);
			}
		});
	}

	private void tell(Owner owner, Standing standing, long now, Limit limit) {
		Set<String> elections = new TreeSet<>(standing.asked.keySet());
		try {
			this.records.standBy(owner, elections, standing.longest().multipliedBy(LEASES_UNTIL_FORGOTTEN),
					limit.remaining());
			standing.told = elections;
			standing.toldAt = now;
			this.failing = false;
		}
		catch (LeaseStoreException ex) {
			if (!this.failing) {
				logger
					.warn("It could not be noted what %s stands by for, which keeps leases from being transferred to it"
						.formatted(owner), ex);
			}
			this.failing = true;
		}
	}

	/** Nobody stands for anything any more. */
	synchronized void withdrawAll(Limit limit) {
		this.standings.forEach((owner, standing) -> {
			if (!standing.told.isEmpty()) {
				standing.asked.clear();
				tell(owner, standing, this.nanos.getAsLong(), limit);
			}
		});
		this.standings.clear();
	}

	private static final class Standing {

		private final Map<String, Asked> asked = new HashMap<>();

		private Set<String> told = Set.of();

		private long toldAt;

		boolean isToBeTold(long now) {
			this.asked.values().removeIf((asked) -> asked.isForgotten(now));
			if (this.asked.isEmpty()) {
				return false;
			}
			long half = this.asked.values().stream().mapToLong((asked) -> asked.duration.toNanos()).min().orElse(0) / 2;
			return now - this.toldAt >= half || !this.told.containsAll(this.asked.keySet());
		}

		Duration longest() {
			return this.asked.values()
				.stream()
				.map(Asked::duration)
				.max(Duration::compareTo)
				.orElse(Duration.ofSeconds(1));
		}

	}

	private record Asked(long at, Duration duration) {

		boolean isForgotten(long now) {
			return now - this.at > LEASES_UNTIL_FORGOTTEN * this.duration.toNanos();
		}

	}

}
