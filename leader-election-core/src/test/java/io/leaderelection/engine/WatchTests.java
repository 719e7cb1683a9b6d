package io.leaderelection.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.leaderelection.TroubledStore;
import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Hints: taken, missed, not given at all.
 */
class WatchTests {

	private final ManualClock clock = new ManualClock();

	private final InMemoryLeaseStore store = ManualNode.storeOn(this.clock);

	private final ManualNode node = new ManualNode("a", this.clock, this.store);

	private final DefaultLeaderElector elector = this.node.engine().elector("reports", ManualNode.SETTINGS);

	private final ManualNode other = new ManualNode("b", this.clock, this.store);

	private final DefaultLeaderElector rival = this.other.engine().elector("reports", ManualNode.SETTINGS);

	@Test
	void aWatchThatOpensAfterTheStopIsClosed() {
		this.node.engine().start();
		this.node.call().answer();
		assertThat(this.node.call().operation()).isEqualTo(Operation.WATCH);
		Runnable late = this.node.call().perform();
		this.node.pass(Duration.ofSeconds(2));
		CompletableFuture<Void> stopped = this.node.engine().stop();
		this.node.settle();
		assertThat(stopped).isDone();
		late.run();
		assertThat(this.node.call().operation()).isEqualTo(Operation.UNWATCH);
		this.node.settle();
		this.store.evict("reports");
		assertThat(this.node.openCall()).isEmpty();
	}

	@Test
	void aHintMissedWhileTheWatchWasOpenedIsMadeUpFor() {
		this.other.engine().start();
		this.other.settle();
		this.node.engine().start();
		this.node.call().answer();
		assertThat(this.node.call().operation()).isEqualTo(Operation.WATCH);
		// given up between the refusal and the first hint that could be heard
		this.rival.stepDown(Duration.ofHours(1));
		this.other.settle();
		this.node.settle();
		assertThat(this.elector.isLeader()).isTrue();
	}

	@Test
	void aWatchThatFailsIsOpenedAgain() {
		this.node.engine().start();
		this.node.call().answer();
		this.node.call().fail(new LeaseStoreException("connection refused"));
		this.node.settle();
		assertThat(this.node.count(Operation.WATCH)).isEqualTo(1);
		this.node.pass(ManualNode.SETTINGS.callTimeout(), this.node::settle);
		assertThat(this.node.count(Operation.WATCH)).isEqualTo(2);
		this.node.pass(Duration.ofSeconds(30), this.node::settle);
		assertThat(this.node.count(Operation.WATCH)).isEqualTo(2);
	}

	@Test
	void withHintsACandidateLooksWhenTheLeaseWouldEndAndWithoutOnceARenewInterval() {
		assertThat(looksInAMinute(this.store)).isBetween(6L, 12L);
		assertThat(looksInAMinute(new TroubledStore(this.store) {

			@Override
			public Optional<Watch> watch(WakeUps wakeUps) {
				return Optional.empty();
			}

		})).isBetween(17L, 21L);
	}

	private long looksInAMinute(LeaseStore store) {
		this.other.engine().start();
		this.other.settle();
		ManualNode candidate = new ManualNode("c", this.clock, store);
		candidate.engine().elector("reports", ManualNode.SETTINGS);
		candidate.engine().start();
		candidate.settle();
		for (int i = 0; i < 600; i++) {
			candidate.pass(Duration.ofMillis(100), candidate::settle);
			this.other.pass(Duration.ZERO, this.other::settle);
		}
		assertThat(this.rival.isLeader()).isTrue();
		return candidate.count(Operation.ACQUIRE);
	}

	@Test
	void whoIsNotTheNextInLineAsksAfterTheTurnOfTheOther() {
		Duration turn = Duration.ofMillis(25);
		AtomicReference<WakeUps> hints = new AtomicReference<>();
		ManualNode second = secondInLine(hints);
		long asked = second.count(Operation.ACQUIRE);
		hints.get().wakeUp("reports", turn);
		second.pass(turn.minusNanos(1), second::settle);
		assertThat(second.count(Operation.ACQUIRE)).isEqualTo(asked);
		second.pass(Duration.ofNanos(1), second::settle);
		assertThat(second.count(Operation.ACQUIRE)).isEqualTo(asked + 1);
	}

	@Test
	void theTurnOfAnotherPutsNothingOffThatIsDueBefore() {
		AtomicReference<WakeUps> hints = new AtomicReference<>();
		ManualNode second = secondInLine(hints);
		long asked = second.count(Operation.ACQUIRE);
		hints.get().wakeUp("reports", Duration.ofHours(1));
		second.pass(ManualNode.SETTINGS.leaseDuration(), second::settle);
		assertThat(second.count(Operation.ACQUIRE)).isGreaterThan(asked);
	}

	@Test
	void aHintThatComesWhileARequestIsUnderWayIsNotPutOff() {
		AtomicReference<WakeUps> hints = new AtomicReference<>();
		ManualNode second = secondInLine(hints);
		hints.get().wakeUp("reports");
		Runnable refusal = second.call().perform();
		// given up after the refusal, and told before it has arrived
		this.rival.stepDown(Duration.ofHours(1));
		this.other.settle();
		hints.get().wakeUp("reports", Duration.ofHours(1));
		refusal.run();
		second.settle();
		assertThat(second.engine().find("reports").orElseThrow().isLeader()).isTrue();
	}

	private ManualNode secondInLine(AtomicReference<WakeUps> hints) {
		this.other.engine().start();
		this.other.settle();
		ManualNode second = new ManualNode("c", this.clock, new TroubledStore(this.store) {

			@Override
			public Optional<Watch> watch(WakeUps wakeUps) {
				hints.set(wakeUps);
				return Optional.of(() -> {
				});
			}

		});
		second.engine().elector("reports", ManualNode.SETTINGS);
		second.engine().start();
		second.settle();
		return second;
	}

	@Test
	void aHintForAnElectionThatNobodyHereKnowsIsIgnored() {
		this.other.engine().elector("invoices", ManualNode.SETTINGS);
		this.other.engine().start();
		this.other.settle();
		this.node.engine().start();
		this.node.settle();
		long asked = this.node.count(Operation.ACQUIRE);
		this.store.evict("invoices");
		this.store.evict("unheard of");
		this.node.settle();
		assertThat(this.node.count(Operation.ACQUIRE)).isEqualTo(asked);
	}

	@Test
	void aLeaderAsksForNothingWhenItIsWokenUp() {
		this.node.engine().start();
		this.node.settle();
		int calls = this.node.calls().size();
		this.store.evict("reports");
		assertThat(this.node.calls()).hasSize(calls);
		assertThat(this.elector.isLeader()).isTrue();
	}

}
