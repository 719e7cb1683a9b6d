package io.leaderelection.engine;

import java.time.Duration;

import io.leaderelection.ElectionSettings;
import io.leaderelection.store.Owner;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ObservedRecordTests {

	private static final ElectionSettings SETTINGS = ManualNode.SETTINGS;

	private static final Duration LEASE = SETTINGS.leaseDuration();

	private final ManualClock clock = new ManualClock();

	private final NodeState node = new NodeState(() -> new Owner("a", "run-1"), this.clock, EngineLog.NONE);

	private final ObservedRecord record = new ObservedRecord("reports", SETTINGS, this.node,
			new Transitions(this.node, () -> (task, whenDone) -> task.run(), EngineLog.NONE), EngineLog.NONE);

	@Test
	void aRecordThatWasNeverSeenIsCreatedAtOnce() {
		assertThat(this.record.mayCreate()).isTrue();
	}

	@Test
	void aRecordThatWasSeenIsCreatedAfterALeaseWithoutIt() {
		this.record.exists(LEASE);
		this.record.missing();
		missingFor(LEASE);
		assertThat(this.record.mayCreate()).isFalse();
		missingFor(Duration.ofSeconds(1));
		assertThat(this.record.mayCreate()).isTrue();
	}

	@Test
	void aRecordThatWasSeenInBetweenIsWaitedForAgain() {
		this.record.exists(LEASE);
		this.record.missing();
		missingFor(Duration.ofSeconds(9));
		this.record.exists(LEASE);
		missingFor(Duration.ofSeconds(2));
		assertThat(this.record.mayCreate()).isFalse();
	}

	@Test
	void aTimeWithoutRequestsProvesNothing() {
		this.record.exists(LEASE);
		this.record.missing();
		this.clock.advance(LEASE.multipliedBy(2));
		assertThat(this.record.mayCreate()).isFalse();
		this.record.missing();
		assertThat(this.record.mayCreate()).isFalse();
	}

	@Test
	void aTimeThatOnlyTheWallClockShowsProvesNothing() {
		this.record.exists(LEASE);
		this.record.missing();
		missingFor(LEASE.plusSeconds(1));
		assertThat(this.record.mayCreate()).isTrue();
		this.clock.setWall(this.clock.wallMillis() + LEASE.toMillis());
		assertThat(this.record.mayCreate()).isFalse();
	}

	/** Lets requests find the record missing, once a second. */
	private void missingFor(Duration time) {
		for (long second = 0; second < time.toSeconds(); second++) {
			this.clock.advance(Duration.ofSeconds(1));
			this.record.missing();
		}
	}

}
