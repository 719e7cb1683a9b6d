package io.leaderelection;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;

import io.leaderelection.engine.StoreAccess.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.leaderelection.Nodes.LONG;
import static io.leaderelection.Nodes.SHORT;
import static io.leaderelection.Nodes.leading;
import static io.leaderelection.Nodes.standingBy;
import static io.leaderelection.Nodes.until;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stores that fail, hang or answer nonsense.
 */
@Timeout(60)
class StoreTroubleTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	@RegisterExtension
	final Nodes nodes = new Nodes();

	@Test
	void aNodeStartsAtOnceOnAStoreThatHangs() {
		Gate gate = this.nodes.gate();
		TroubledStore store = this.nodes.troubledStore().before(gate::passDeafly);
		LeaderElections node = this.nodes.make("a", SHORT, store);
		LeaderElector elector = node.elector("reports");
		long before = System.nanoTime();
		node.start();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(SHORT.callTimeout());
		gate.awaitArrival();
		assertThat(elector.isLeader()).isFalse();
		assertThat(elector.tryBecomeLeader()).isFalse();
		store.heal();
		gate.open();
		leading(elector);
	}

	@Test
	void aStoreThatThrowsIsRiddenOut() {
		TroubledStore store = this.nodes.troubledStore();
		LeaderElector elector = leading(this.nodes.start("a", LONG, store).elector("reports"));
		FencingToken token = elector.fencingToken().orElseThrow();
		store.before(TroubledStore.refusal());
		elector.operations().recheck();
		until(() -> elector.status().failuresInARow() > 0);
		assertThat(elector.status().lastError())
			.contains("The lease store does not answer 'renew': connection refused");
		assertThat(elector.isLeader()).isTrue();
		store.heal();
		until(() -> elector.status().failuresInARow() == 0);
		assertThat(elector.fencingToken()).contains(token);
		assertThat(elector.status().lastError()).isPresent();
	}

	@Test
	void troubleIsLoggedOnceWhenItBeginsAndOnceWhenItEnds() {
		TroubledStore store = this.nodes.troubledStore().before(TroubledStore.refusal(), Operation.ACQUIRE);
		LeaderElector elector = this.nodes.start("a", SHORT, store).elector("reports");
		until(() -> store.calls(Operation.ACQUIRE) >= 3);
		assertThat(this.nodes.logged(Level.WARNING)).containsExactly(
				"The lease store does not answer 'acquire': connection refused. Node 'a' repeats the call");
		store.heal();
		leading(elector);
		until(() -> this.nodes.logged(Level.INFO).size() == 2);
		assertThat(this.nodes.logged(Level.WARNING)).hasSize(1);
		assertThat(this.nodes.logged(Level.INFO))
			.anyMatch((line) -> line.matches("The lease store serves node 'a' again after \\d+ failed calls"))
			.anyMatch((line) -> line.startsWith("'a' leads 'reports' with token "));
	}

	@Test
	void aLeaderThatCannotReachTheStoreSaysNoBeforeAnotherLeads() {
		Gate gate = this.nodes.gate();
		TroubledStore store = this.nodes.troubledStore();
		LeaderElector a = leading(this.nodes.start("a", SHORT, store).elector("reports"));
		FencingToken token = a.fencingToken().orElseThrow();
		Recorder recorder = new Recorder();
		a.addListener(recorder);
		LeaderElector b = standingBy(this.nodes.start("b", SHORT).elector("reports"));
		store.before(gate::passDeafly);
		gate.awaitArrival();
		while (!b.isLeader()) {
			Thread.onSpinWait();
		}
		assertThat(a.isLeader()).isFalse();
		until(() -> recorder.transitions().size() == 2);
		assertThat(recorder.transitions()).last().isEqualTo("lost %d STORE_UNREACHABLE".formatted(token.value()));
	}

	@Test
	void aStoreThatHangsBeyondInterruptionTakesFewThreadsAndMayComeBack() {
		Gate gate = this.nodes.gate();
		TroubledStore store = this.nodes.troubledStore();
		LeaderElector a = leading(this.nodes.start("hanging", SHORT, store).elector("reports"));
		store.before(gate::passDeafly);
		until(() -> !a.isLeader());
		until(() -> gate.waiting() >= 4);
		assertThat(Threads.of("hanging")).hasSizeLessThanOrEqualTo(12);
		store.heal();
		gate.open();
		leading(a);
		until(() -> gate.waiting() == 0);
	}

	@Test
	void aGrantWhoseAnswerWasLostIsGrantedAgain() {
		AtomicBoolean lost = new AtomicBoolean();
		TroubledStore store = this.nodes.troubledStore().after(() -> {
			if (lost.compareAndSet(false, true)) {
				TroubledStore.refusal().strike();
			}
		}, Operation.ACQUIRE);
		LeaderElector elector = leading(this.nodes.start("a", LONG, store).elector("reports"));
		assertThat(lost).isTrue();
		assertThat(this.nodes.store().read("reports").orElseThrow().token())
			.isEqualTo(elector.fencingToken().orElseThrow().value());
	}

	@Test
	void aStopReturnsThoughTheStoreHangs() {
		Gate gate = this.nodes.gate();
		TroubledStore store = this.nodes.troubledStore();
		LeaderElections node = this.nodes.start("a", SHORT, store);
		LeaderElector a = leading(node.elector("reports"));
		store.before(gate::passDeafly);
		long before = System.nanoTime();
		node.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
		assertThat(node.isRunning()).isFalse();
		assertThat(a.isLeader()).isFalse();
		assertThat(a.status().lastTransition().orElseThrow().reason()).contains(LossReason.STOPPED);
		store.heal();
		gate.open();
		node.start();
		leading(a);
	}

	@Test
	void aStepDownWhoseReleaseFailsIsRepeated() {
		TroubledStore store = this.nodes.troubledStore();
		LeaderElector a = leading(this.nodes.start("a", LONG, store).elector("reports"));
		LeaderElector b = standingBy(this.nodes.start("b", LONG).elector("reports"));
		store.before(TroubledStore.refusal(), Operation.RELEASE);
		CompletableFuture<Boolean> released = a.operations().stepDown();
		until(() -> store.calls(Operation.RELEASE) >= 2);
		assertThat(released).isNotDone();
		store.heal();
		assertThat(released).succeedsWithin(SOON).isEqualTo(true);
		leading(b);
	}

	@Test
	void aVanishedRecordIsWrittenAgainByItsLeader() {
		LeaderElector a = leading(this.nodes.start("a", SHORT).elector("reports"));
		FencingToken token = a.fencingToken().orElseThrow();
		LeaderElector b = standingBy(this.nodes.start("b", SHORT).elector("reports"));
		this.nodes.store().clear();
		until(() -> this.nodes.store().read("reports").isPresent());
		assertThat(this.nodes.store().read("reports").orElseThrow().token()).isEqualTo(token.value());
		assertThat(a.fencingToken()).contains(token);
		assertThat(b.isLeader()).isFalse();
	}

}
