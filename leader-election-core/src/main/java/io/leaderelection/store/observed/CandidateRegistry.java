package io.leaderelection.store.observed;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;

/**
 * Registers the candidates of this node: at once when there is a new one, and otherwise
 * twice in a lease, for all elections together. No leadership waits for it, so a failure
 * is only logged. The lock is never held while the store is called.
 */
final class CandidateRegistry {

	private static final Logger logger = System.getLogger(CandidateRegistry.class.getName());

	private static final int LEASES_UNTIL_FORGOTTEN = 2;

	private final LeaseRecords records;

	private final LongSupplier nanos;

	private final Map<Owner, Candidate> candidates = new HashMap<>();

	private volatile boolean failing;

	CandidateRegistry(LeaseRecords records, LongSupplier nanos) {
		this.records = records;
		this.nanos = nanos;
	}

	/** Takes note of who was refused and who was not. */
	synchronized void answered(List<AcquireRequest> candidacies, List<AcquireResult> answers) {
		long now = this.nanos.getAsLong();
		for (int i = 0; i < candidacies.size(); i++) {
			AcquireRequest candidacy = candidacies.get(i);
			Candidate candidate = this.candidates.computeIfAbsent(candidacy.owner(), (owner) -> new Candidate());
			if (answers.get(i) instanceof Held) {
				candidate.requests.put(candidacy.election(), new Request(now, candidacy.duration()));
			}
			else {
				candidate.requests.remove(candidacy.election());
				if (answers.get(i) instanceof AcquireResult.Granted) {
					candidate.registered.remove(candidacy.election());
				}
			}
		}
	}

	/**
	 * Registers what is new and, unless a grant would have to wait for it, what was
	 * registered half a lease ago.
	 */
	void register(boolean onlyNew, CallLimit limit) {
		for (Map.Entry<Owner, Set<String>> due : due((candidate, now) -> candidate.isDue(onlyNew, now)).entrySet()) {
			register(due.getKey(), due.getValue(), limit);
		}
	}

	/** No candidate is left. */
	void withdrawAll(CallLimit limit) {
		for (Map.Entry<Owner, Set<String>> due : due((candidate, now) -> candidate.withdraw()).entrySet()) {
			register(due.getKey(), due.getValue(), limit);
		}
	}

	private synchronized Map<Owner, Set<String>> due(BiPredicate<Candidate, Long> condition) {
		long now = this.nanos.getAsLong();
		Map<Owner, Set<String>> due = new HashMap<>();
		this.candidates.forEach((owner, candidate) -> {
			if (condition.test(candidate, now)) {
				due.put(owner, new TreeSet<>(candidate.requests.keySet()));
			}
		});
		return due;
	}

	private void register(Owner owner, Set<String> elections, CallLimit limit) {
		Duration duration;
		synchronized (this) {
			Candidate candidate = this.candidates.computeIfAbsent(owner, (key) -> new Candidate());
			duration = candidate.longest().multipliedBy(LEASES_UNTIL_FORGOTTEN);
			candidate.mayBeRegistered = true;
		}
		try {
			this.records.registerCandidate(owner, elections, duration, limit.remaining());
			registered(owner, elections);
			this.failing = false;
		}
		catch (LeaseStoreException ex) {
			if (!this.failing) {
				logger.log(Level.WARNING,
						"Candidate %s could not be registered, so no lease can be transferred to it".formatted(owner),
						ex);
			}
			this.failing = true;
		}
	}

	private synchronized void registered(Owner owner, Set<String> elections) {
		Candidate candidate = this.candidates.computeIfAbsent(owner, (key) -> new Candidate());
		candidate.registered = new TreeSet<>(elections);
		candidate.registeredAt = this.nanos.getAsLong();
		candidate.mayBeRegistered = !elections.isEmpty();
		if (elections.isEmpty() && candidate.requests.isEmpty()) {
			this.candidates.remove(owner);
		}
	}

	private static final class Candidate {

		private final Map<String, Request> requests = new HashMap<>();

		private Set<String> registered = new TreeSet<>();

		private long registeredAt;

		/** Whether the store may have a registration, though its answer was lost. */
		private boolean mayBeRegistered;

		boolean isDue(boolean onlyNew, long now) {
			this.requests.values().removeIf((request) -> request.isForgotten(now));
			if (!this.registered.containsAll(this.requests.keySet())) {
				return true;
			}
			long half = this.requests.values()
				.stream()
				.mapToLong((request) -> request.duration.toNanos())
				.min()
				.orElse(0) / 2;
			return !onlyNew && this.mayBeRegistered && now - this.registeredAt >= half;
		}

		boolean withdraw() {
			this.requests.clear();
			return this.mayBeRegistered;
		}

		Duration longest() {
			return this.requests.values()
				.stream()
				.map(Request::duration)
				.max(Comparator.naturalOrder())
				.orElse(Duration.ofSeconds(1));
		}

	}

	private record Request(long at, Duration duration) {

		boolean isForgotten(long now) {
			return now - this.at > LEASES_UNTIL_FORGOTTEN * this.duration.toNanos();
		}

	}

}
