package io.leaderelection.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import io.leaderelection.Gate;
import io.leaderelection.Leadership;
import io.leaderelection.LossReason;
import io.leaderelection.OnLoss;
import io.leaderelection.Recorder;
import io.leaderelection.TroubledStore;
import io.leaderelection.Work;
import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.leaderelection.Nodes.workUnderWay;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A store tells the engine that what kept its leases is gone.
 */
class LostSessionTests {

	private final ManualClock clock = new ManualClock();

	private final InMemoryLeaseStore records = ManualNode.storeOn(this.clock);

	private final AtomicReference<WakeUps> told = new AtomicReference<>();

	private final ManualNode node = new ManualNode("a", this.clock, new TroubledStore(this.records) {

		@Override
		public Optional<Watch> watch(WakeUps wakeUps) {
			LostSessionTests.this.told.set(wakeUps);
			return super.watch(wakeUps);
		}

	});

	private final DefaultLeaderElector elector = this.node.engine().elector("reports", ManualNode.SETTINGS);

	private final ManualNode other = new ManualNode("b", this.clock, this.records);

	private final Recorder recorder = new Recorder();

	@BeforeEach
	void listen() {
		this.elector.addListener(this.recorder);
	}

	@Test
	void aLeadershipEndsBeforeTheStoreIsAskedAnything() {
		Leadership leadership = lead();
		long calls = this.node.calls().size();
		loseSession();
		assertThat(this.elector.isLeader()).isFalse();
		assertThat(leadership.isHeld()).isFalse();
		assertThat(this.elector.status().lastTransition().orElseThrow().reason()).contains(LossReason.SESSION_LOST);
		assertThat(this.node.calls()).hasSize((int) calls);
	}

	@Test
	void workIsToldWhenItsLeadershipIsOverAndNotBefore() throws Exception {
		Leadership leadership = lead();
		CompletableFuture<Boolean> heldWhenTold = new CompletableFuture<>();
		CountDownLatch begun = new CountDownLatch(1);
		Gate gate = new Gate();
		Thread worker = new Thread(() -> {
			Work work = this.elector.begin(OnLoss.INTERRUPT).orElseThrow();
			begun.countDown();
			gate.pass();
			work.end();
		}) {

			@Override
			public void interrupt() {
				heldWhenTold.complete(leadership.isHeld());
			}

		};
		worker.start();
		begun.await();
		loseSession();
		assertThat(heldWhenTold).isCompletedWithValue(false);
		gate.open();
		worker.join();
	}

	@Test
	void theNodeStandsAgainByItselfAndLeadsWithAHigherToken() {
		long token = lead().token().value();
		loseSession();
		this.records.evict("reports");
		this.node.settle();
		assertThat(this.elector.fencingToken().orElseThrow().value()).isGreaterThan(token);
	}

	@Test
	void aGrantThatWasAskedForBeforeIsGivenBack() {
		DefaultLeaderElector rival = startRival();
		this.node.engine().start();
		this.node.settle();
		this.elector.attempt();
		rival.stepDown(Duration.ofHours(1));
		this.other.settle();
		Runnable granted = this.node.call().perform();
		loseSession();
		granted.run();
		assertThat(this.elector.isLeader()).isFalse();
		long token = this.records.read("reports").orElseThrow().token();
		assertThat(this.node.call().operation()).isEqualTo(Operation.RELEASE);
		this.node.settle();
		assertThat(this.elector.fencingToken().orElseThrow().value()).isGreaterThan(token);
	}

	@Test
	void aRenewalThatWasSentBeforeRevivesNothing() {
		lead();
		this.node.pass(Duration.ofMillis(3_334));
		assertThat(this.node.call().operation()).isEqualTo(Operation.RENEW);
		Runnable renewed = this.node.call().perform();
		loseSession();
		renewed.run();
		assertThat(this.elector.isLeader()).isFalse();
	}

	@Test
	void aLeadershipThatHadEndedUnnoticedIsNotTakenForALostSession() {
		lead();
		this.clock.advance(Duration.ofSeconds(10));
		loseSession();
		assertThat(this.elector.status().lastTransition().orElseThrow().reason()).contains(LossReason.EXPIRED);
	}

	@Test
	void aFollowerIsNotConcerned() {
		startRival();
		this.node.engine().start();
		this.node.settle();
		loseSession();
		this.node.settle();
		assertThat(this.elector.getCurrentLeader())
			.hasValueSatisfying((leader) -> assertThat(leader.nodeId()).isEqualTo("b"));
		assertThat(this.recorder.transitions()).isEmpty();
	}

	@Test
	void workThatIsDrainedIsToldToo() {
		Leadership leadership = lead();
		Work work = workUnderWay(this.elector);
		this.elector.stepDown(Duration.ofHours(1));
		loseSession();
		assertThat(leadership.isHeld()).isFalse();
		this.node.runCallbacks();
		work.end();
		this.node.settle();
		assertThat(this.recorder.transitions()).last().asString().endsWith(LossReason.SESSION_LOST.toString());
	}

	private void loseSession() {
		this.told.get().leasesLost();
		// a request of the very same moment may have been sent before
		this.clock.advance(Duration.ofNanos(1));
	}

	private DefaultLeaderElector startRival() {
		DefaultLeaderElector rival = this.other.engine().elector("reports", ManualNode.SETTINGS);
		this.other.engine().start();
		this.other.settle();
		return rival;
	}

	private Leadership lead() {
		this.node.engine().start();
		this.node.settle();
		return this.elector.leadership().orElseThrow();
	}

}
