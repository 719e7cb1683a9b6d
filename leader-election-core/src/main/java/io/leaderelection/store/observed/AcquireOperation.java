package io.leaderelection.store.observed;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.store.observed.ExpiryTracker.UnchangedHeartbeat;
import io.leaderelection.store.observed.RecordSnapshot.Present;
import io.leaderelection.store.observed.RecordSnapshot.Unreadable;

/**
 * A batch of requests for leases. Takes those that are free, or were seen unchanged for
 * as long as they last.
 */
final class AcquireOperation extends BatchOperation {

	private static final Logger logger = System.getLogger(AcquireOperation.class.getName());

	private static final int MOST_ROUNDS = 10;

	private static final Duration SHORTLY = Duration.ofMillis(10);

	private final List<AcquireRequest> candidacies;

	private final @Nullable AcquireResult[] results;

	AcquireOperation(ObservedLeaseStore store, CallLimit limit, List<AcquireRequest> candidacies) {
		super(store, limit, candidacies.size());
		this.candidacies = candidacies;
		this.results = new AcquireResult[candidacies.size()];
	}

	List<AcquireResult> results() {
		for (int i : run(MOST_ROUNDS)) {
			AcquireRequest candidacy = this.candidacies.get(i);
			refuse(i, null, candidacy.tokenFloor(), SHORTLY, candidacy.duration());
		}
		return List.of(this.results);
	}

	@Override
	String election(int index) {
		return this.candidacies.get(index).election();
	}

	@Override
	void begin(int index) {
		String nodeId = this.candidacies.get(index).owner().nodeId();
		store().reader().takeVacant(election(index)).ifPresent((vacant) -> {
			if (vacant.record().isFree() || nodeId.equals(vacant.record().reservedFor())) {
				take(index, vacant, Optional.empty(), vacant.record().token());
			}
		});
	}

	@Override
	void decide(int index, RecordSnapshot snapshot) {
		AcquireRequest candidacy = this.candidacies.get(index);
		if (snapshot instanceof Present present) {
			decide(index, candidacy, present);
		}
		else if (snapshot instanceof Unreadable) {
			refuse(index, null, candidacy.tokenFloor(), candidacy.duration(), candidacy.duration());
		}
		else if (candidacy.createIfAbsent()) {
			take(index, snapshot, Optional.empty(), 0);
		}
		else {
			answer(index, new AcquireResult.Absent());
		}
	}

	private void decide(int index, AcquireRequest candidacy, Present present) {
		LeaseRecord record = present.record();
		boolean own = candidacy.owner().equals(record.holder());
		boolean givenUp = own && store().held()
			.isGivenUp(new Lease(candidacy.election(), candidacy.owner(), record.token(), record.duration()));
		if (own && !givenUp && record.token() > candidacy.tokenFloor()) {
			// the first answer was lost: the same again
			write(index, present, Optional.empty(), record.token());
			return;
		}
		if (record.isFree() || candidacy.owner().nodeId().equals(record.reservedFor()) || givenUp) {
			take(index, present, Optional.empty(), record.token());
			return;
		}
		long now = store().now();
		Duration unchanged = store().tracker().unchanged(candidacy.election(), present, now);
		Optional<HeartbeatSnapshot> heartbeat = Optional.empty();
		if (!own && record.heartbeat() != null) {
			// an own heartbeat goes on for other leases, and this leadership has ended
			UnchangedHeartbeat last = store().tracker().heartbeat(record.heartbeat(), now);
			unchanged = (last == null) ? Duration.ZERO : min(unchanged, last.unchanged());
			heartbeat = Optional.ofNullable(last).map(UnchangedHeartbeat::snapshot);
		}
		Duration remaining = record.duration().minus(unchanged);
		if (remaining.compareTo(Duration.ZERO) <= 0) {
			take(index, present, heartbeat, record.token());
		}
		else {
			refuse(index, record.holder(), record.token(), remaining, record.duration());
		}
	}

	private static Duration min(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	private void refuse(int index, @Nullable Owner holder, long token, Duration remaining, Duration duration) {
		answer(index, new Held(Optional.ofNullable(holder).map(Owner::nodeId), token, remaining, duration));
	}

	private void answer(int index, AcquireResult result) {
		this.results[index] = result;
		answered(index);
	}

	private void take(int index, RecordSnapshot expected, Optional<HeartbeatSnapshot> heartbeat, long previous) {
		AcquireRequest candidacy = this.candidacies.get(index);
		long before = Math.max(previous, candidacy.tokenFloor());
		if (before >= Long.MAX_VALUE - 1) {
			logger.log(Level.WARNING,
					"No token is higher than that of '%s', so no node can be elected".formatted(candidacy.election()));
			refuse(index, null, candidacy.tokenFloor(), candidacy.duration(), candidacy.duration());
			return;
		}
		// a record that was deleted does not contain the tokens that there were
		long now = ChronoUnit.MICROS.between(Instant.EPOCH, store().clock().instant());
		write(index, expected, heartbeat, Math.max(before + 1, now));
	}

	private void write(int index, RecordSnapshot expected, Optional<HeartbeatSnapshot> heartbeat, long token) {
		Lease lease = lease(index, token);
		LeaseRecord next = LeaseRecord.held(lease, store().heartbeat(lease.duration(), limit()));
		if (next.heartbeat() != null) {
			store().held().requested(lease);
		}
		write(index, expected, heartbeat, next);
	}

	@Override
	void conflict(int index, ConditionalWrite write) {
		store().held().refused(lease(index, write.next().token()));
	}

	@Override
	void written(int index, Present written, long sentAt) {
		Lease lease = lease(index, written.record().token());
		store().held().holds(lease, written, sentAt);
		this.results[index] = new Granted(lease.token(), lease.duration());
	}

	private Lease lease(int index, long token) {
		AcquireRequest candidacy = this.candidacies.get(index);
		return new Lease(candidacy.election(), candidacy.owner(), token, candidacy.duration());
	}

}
