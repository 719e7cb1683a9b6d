package io.leaderelection.test.contract;

import java.time.Duration;
import java.util.Optional;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Lease;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A grant and when, by the nanosecond clock of this process, it was asked for and
 * answered. Its holder may lead from the answer until its validity, counted from the
 * sending, is over: no stall of the machine makes a correct store break that.
 *
 * @param lease the lease
 * @param sentAt when the request was sent
 * @param answeredAt when the answer was there
 * @param validFor how long the store promised
 */
record TimedGrant(Lease lease, long sentAt, long answeredAt, Duration validFor) {

	static TimedGrant of(Node node, String election, long tokenFloor) {
		return tried(node, election, tokenFloor)
			.orElseThrow(() -> new AssertionError("%s was refused %s".formatted(node.owner(), election)));
	}

	static Optional<TimedGrant> tried(Node node, String election, long tokenFloor) {
		long sentAt = System.nanoTime();
		AcquireResult answer = node.asksFor(election, tokenFloor);
		long answeredAt = System.nanoTime();
		if (answer instanceof Granted granted) {
			return Optional.of(new TimedGrant(node.lease(election, answer), sentAt, answeredAt, granted.validFor()));
		}
		assertThat(answer).isInstanceOf(Held.class);
		assertThat(((Held) answer).remaining()).as("remaining time of a held lease").isPositive();
		return Optional.empty();
	}

	/** Asserts that the earlier holder could no longer lead when this one began to. */
	void followed(TimedGrant earlier) {
		// Clock rates may differ by 1 %.
		long promised = earlier.validFor.toNanos() / 100 * 99;
		assertThat(Duration.ofNanos(this.answeredAt - earlier.sentAt))
			.as("time from the request for token %d to the grant of token %d", earlier.lease.token(),
					this.lease.token())
			.isGreaterThanOrEqualTo(Duration.ofNanos(promised));
	}

}
