package io.leaderelection.observed;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import io.leaderelection.observed.Sight.Present;
import io.leaderelection.observed.Sight.Unreadable;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Absent;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One request for leases: looks at all of them and takes those that are free, or were
 * seen unchanged for as long as they last. A lease is taken by a write that fails if its
 * record has changed since the look; then there is another look.
 */
final class Acquiring {

	private static final Log logger = LogFactory.getLog(Acquiring.class);

	private static final int MOST_LOOKS = 10;

	private static final Duration SHORTLY = Duration.ofMillis(10);

	private final ObservedLeaseStore store;

	private final Limit limit;

	private final List<Candidacy> candidacies;

	private final @Nullable AcquireResult[] results;

	private final long[] tokens;

	private Writing writing;

	Acquiring(ObservedLeaseStore store, Limit limit, List<Candidacy> candidacies) {
		this.store = store;
		this.limit = limit;
		this.candidacies = candidacies;
		this.results = new AcquireResult[candidacies.size()];
		this.tokens = new long[candidacies.size()];
		this.writing = store.writing();
	}

	List<AcquireResult> answers() {
		for (int round = 0; round < MOST_LOOKS && !open().isEmpty(); round++) {
			List<Integer> open = open();
			List<Look> looks = this.store.looks()
				.at(open.stream().map((i) -> this.candidacies.get(i).election()).toList(), this.limit);
			this.writing = this.store.writing();
			for (int k = 0; k < open.size(); k++) {
				decide(open.get(k), looks.get(k));
			}
			this.writing.send(this.limit, this::granted);
		}
		for (int i : open()) {
			refuse(i, null, this.candidacies.get(i).tokenFloor(), SHORTLY, this.candidacies.get(i).duration());
		}
		return List.of(this.results);
	}

	private List<Integer> open() {
		return IntStream.range(0, this.results.length).filter((i) -> this.results[i] == null).boxed().toList();
	}

	private void decide(int index, Look look) {
		Candidacy candidacy = this.candidacies.get(index);
		if (look.seen() instanceof Present present) {
			decide(index, present, look.unchanged());
		}
		else if (look.seen() instanceof Unreadable) {
			refuse(index, null, candidacy.tokenFloor(), candidacy.duration(), candidacy.duration());
		}
		else if (candidacy.createIfAbsent()) {
			take(index, look.seen(), 0);
		}
		else {
			this.results[index] = new Absent();
		}
	}

	private void decide(int index, Present seen, Duration unchanged) {
		Candidacy candidacy = this.candidacies.get(index);
		LeaseRecord record = seen.record();
		boolean own = candidacy.owner().equals(record.holder());
		boolean givenUp = own && isGivenUp(candidacy, record);
		if (own && !givenUp && record.token() > candidacy.tokenFloor()) {
			// the first answer was lost: the same again
			write(index, seen, record.token());
			return;
		}
		Duration remaining = record.duration().minus(unchanged);
		if (record.isForAnybody() || candidacy.owner().nodeId().equals(record.reservedFor()) || givenUp
				|| remaining.compareTo(Duration.ZERO) <= 0) {
			take(index, seen, record.token());
		}
		else {
			refuse(index, record.holder(), record.token(), remaining, record.duration());
		}
	}

	private boolean isGivenUp(Candidacy candidacy, LeaseRecord record) {
		return this.store.own()
			.isGivenUp(new Lease(candidacy.election(), candidacy.owner(), record.token(), record.duration()));
	}

	private void refuse(int index, @Nullable Owner holder, long token, Duration remaining, Duration duration) {
		this.results[index] = new Held(Optional.ofNullable(holder).map(Owner::nodeId), token, remaining, duration);
	}

	private void take(int index, Sight seen, long previous) {
		Candidacy candidacy = this.candidacies.get(index);
		long before = Math.max(previous, candidacy.tokenFloor());
		if (before >= Long.MAX_VALUE - 1) {
			logger.warn("There is no token higher than that of '%s', so that nobody can be elected"
				.formatted(candidacy.election()));
			refuse(index, null, candidacy.tokenFloor(), candidacy.duration(), candidacy.duration());
			return;
		}
		// a record that was deleted does not say which tokens there were
		long now = ChronoUnit.MICROS.between(Instant.EPOCH, this.store.clock().instant());
		write(index, seen, Math.max(before + 1, now));
	}

	private void write(int index, Sight seen, long token) {
		this.tokens[index] = token;
		Lease lease = lease(index);
		this.writing.add(index, new ConditionalWrite(lease.election(), seen, LeaseRecord.held(lease)));
	}

	private void granted(int index, Object version, long sentAt) {
		Lease lease = lease(index);
		this.store.own().holds(lease, version, sentAt);
		this.results[index] = new Granted(lease.token(), lease.duration());
	}

	private Lease lease(int index) {
		Candidacy candidacy = this.candidacies.get(index);
		return new Lease(candidacy.election(), candidacy.owner(), this.tokens[index], candidacy.duration());
	}

}
