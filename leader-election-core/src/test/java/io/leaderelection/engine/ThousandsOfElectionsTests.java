package io.leaderelection.engine;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.leaderelection.FencingToken;
import io.leaderelection.TroubledStore;
import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * More elections than a store can manage in one call before it times out.
 */
@Timeout(60)
class ThousandsOfElectionsTests {

	private static final int MANY = 8 * StoreCallScheduler.MOST_TOGETHER + 1;

	private final ManualClock clock = new ManualClock();

	private final Overwhelmed store = new Overwhelmed();

	private final ManualNode node = new ManualNode("a", this.clock, this.store);

	@Test
	void allAreLedAndKeptAndGivenUp() {
		start();
		this.node.settle();
		assertThat(this.node.engine().electors()).hasSize(MANY).allMatch(DefaultLeaderElector::isLeader);
		this.node.pass(Duration.ofMinutes(1), this.node::settle);
		assertThat(this.node.engine().electors()).allSatisfy(
				(elector) -> assertThat(elector.fencingToken()).hasValue(new FencingToken(elector.election(), 1)));
		this.node.engine().stop();
		this.node.settle();
		assertThat(this.store.released).hasSize(MANY);
		assertThat(this.store.failures).isZero();
	}

	@Test
	void thoseThatAreDueGoTogetherAsFarAsPossible() {
		start();
		this.node.settle();
		this.node.pass(ManualNode.SETTINGS.renewInterval().multipliedBy(10), this.node::settle);
		assertThat(this.node.count(Operation.ACQUIRE)).isEqualTo(9);
		assertThat(this.node.count(Operation.RENEW)).isBetween(81L, 99L);
	}

	@Test
	void ofManyThatFailEachHasItsTurn() {
		this.store.answers = false;
		start();
		this.node.settle();
		this.node.pass(ManualNode.SETTINGS.leaseDuration(), this.node::settle);
		assertThat(this.store.asked).hasSize(MANY);
	}

	@Test
	void ofManyThatAreNotAnsweredEachHasItsTurn() {
		start();
		this.node.pass(ManualNode.SETTINGS.leaseDuration().multipliedBy(3));
		this.node.calls()
			.stream()
			.filter((call) -> call.operation() == Operation.ACQUIRE)
			.forEach(ManualNode.ManualCall::perform);
		assertThat(this.store.asked).hasSize(MANY);
	}

	private void start() {
		for (int i = 0; i < MANY; i++) {
			this.node.engine().elector("election-%04d".formatted(i), ManualNode.SETTINGS);
		}
		this.node.engine().start();
	}

	/** Fails when it is asked for too much. */
	private final class Overwhelmed extends TroubledStore {

		private final Set<String> asked = new HashSet<>();

		private final Set<String> released = new HashSet<>();

		private boolean answers = true;

		private int failures;

		private Overwhelmed() {
			super(ManualNode.storeOn(ThousandsOfElectionsTests.this.clock));
		}

		@Override
		public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
			candidacies.forEach((candidacy) -> this.asked.add(candidacy.election()));
			manage(candidacies);
			return super.acquire(candidacies);
		}

		@Override
		public List<RenewResult> renew(List<RenewRequest> renewals) {
			manage(renewals);
			return super.renew(renewals);
		}

		@Override
		public void release(List<Lease> leases) {
			manage(leases);
			leases.forEach((lease) -> this.released.add(lease.election()));
			super.release(leases);
		}

		private void manage(List<?> questions) {
			if (questions.size() > StoreCallScheduler.MOST_TOGETHER || !this.answers) {
				this.failures++;
				throw new LeaseStoreException("%d are too many".formatted(questions.size()));
			}
		}

	}

}
