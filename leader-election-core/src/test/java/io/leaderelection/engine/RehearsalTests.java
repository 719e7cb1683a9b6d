package io.leaderelection.engine;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;

import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A hand-over is rehearsed, and nobody notices.
 */
@Timeout(60)
class RehearsalTests {

	private final ManualClock clock = new ManualClock();

	private final ManualNode node = new ManualNode("a", this.clock, ManualNode.storeOn(this.clock));

	private final Elector elector = this.node.engine().elector("reports", ManualNode.SETTINGS);

	@Test
	void leadershipIsHandedOverAndBackAndToldOfForDebuggingOnly() {
		RecordingLogger logger = new RecordingLogger();
		new Rehearsal(logger).run();
		assertThat(logger.lines).filteredOn((line) -> line.contains("' leads ")).hasSizeGreaterThan(5);
		assertThat(logger.lines).filteredOn((line) -> line.contains("' no longer leads ")).hasSizeGreaterThan(5);
		assertThat(logger.lines).anyMatch((line) -> line.startsWith("DEBUG Rehearsed hand-overs"))
			.allMatch((line) -> line.startsWith("DEBUG "));
	}

	@Test
	void theStoreRehearsesAsOftenAsItShouldAndAfterEverythingElse() {
		this.node.engine().start();
		this.node.engine().rehearse(3);
		this.node.settle();
		this.node.pass(Duration.ofSeconds(30), this.node::settle);
		assertThat(this.node.calls().stream().limit(3).map(ManualNode.ManualCall::operation))
			.containsExactly(Operation.ACQUIRE, Operation.WATCH, Operation.REHEARSE);
		assertThat(this.node.count(Operation.REHEARSE)).isEqualTo(3);
	}

	@Test
	void aRenewalThatIsDueGoesFirst() {
		this.node.engine().start();
		this.node.settle();
		this.node.pass(ManualNode.SETTINGS.renewInterval());
		assertThat(this.node.call().operation()).isEqualTo(Operation.RENEW);
		this.node.engine().rehearse(1);
		assertThat(this.node.call().operation()).isEqualTo(Operation.RENEW);
		this.node.call().answer();
		assertThat(this.node.call().operation()).isEqualTo(Operation.REHEARSE);
	}

	@Test
	void whatHasBecomeDueComesBetweenTwoRehearsals() {
		this.node.engine().start();
		this.node.settle();
		this.node.engine().rehearse(2);
		ManualNode.ManualCall<?> first = this.node.call();
		this.elector.stepDown();
		first.answer();
		assertThat(this.node.call().operation()).isEqualTo(Operation.RELEASE);
		this.node.call().answer();
		assertThat(this.node.call().operation()).isEqualTo(Operation.REHEARSE);
	}

	@Test
	void aStoreOfAKnownKindRehearsesLess() {
		int first = Rehearsal.times(UnknownStore.class);
		assertThat(Rehearsal.times(UnknownStore.class)).isPositive().isLessThan(first);
	}

	@Test
	void aRehearsalThatFailsIsNotTroubleAndNotRepeated() {
		this.node.engine().start();
		this.node.settle();
		this.node.engine().rehearse(5);
		this.node.call().fail(new LeaseStoreException("not this one"));
		this.node.settle();
		assertThat(this.node.log()).containsExactly("rehearsal failed");
		assertThat(this.elector.status().failuresInARow()).isZero();
		assertThat(this.elector.isLeader()).isTrue();
		this.node.pass(Duration.ofSeconds(30), this.node::settle);
		assertThat(this.node.count(Operation.REHEARSE)).isOne();
	}

	@Test
	void aRehearsalThatHangsIsGivenUpInTimeForTheNextRenewal() {
		this.node.engine().start();
		this.node.settle();
		this.node.engine().rehearse(1);
		ManualNode.ManualCall<?> hanging = this.node.call();
		this.node.pass(ManualNode.SETTINGS.callTimeout());
		assertThat(hanging.isAbandoned()).isTrue();
		this.node.pass(Duration.ofSeconds(30), this.node::settle);
		assertThat(this.elector.isLeader()).isTrue();
		assertThat(this.node.log()).containsExactly("rehearsal failed");
	}

	@Test
	void aStopDoesNotWaitForARehearsalThatHasNotBegun() {
		this.node.engine().start();
		this.node.engine().rehearse(1);
		this.node.engine().stop();
		this.node.settle();
		assertThat(this.node.count(Operation.REHEARSE)).isZero();
		assertThat(this.node.engine().isRunning()).isFalse();
	}

	@Test
	void aStopEndsRehearsals() {
		this.node.engine().start();
		this.node.settle();
		this.node.engine().rehearse(5);
		this.node.engine().stop();
		this.node.settle();
		assertThat(this.node.count(Operation.REHEARSE)).isOne();
		assertThat(this.node.engine().isRunning()).isFalse();
	}

	/** A kind that no other test knows. */
	private interface UnknownStore extends LeaseStore {

	}

	private static final class RecordingLogger implements Logger {

		private final List<String> lines = new CopyOnWriteArrayList<>();

		@Override
		public String getName() {
			return "recording";
		}

		@Override
		public boolean isLoggable(Level level) {
			return true;
		}

		@Override
		public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
			this.lines.add(level + " " + message);
		}

		@Override
		public void log(Level level, ResourceBundle bundle, String format, Object... params) {
			this.lines.add(level + " " + format);
		}

	}

}
