package io.leaderelection;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.engine.StoreAccess.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.leaderelection.Nodes.LONG;
import static io.leaderelection.Nodes.leading;
import static io.leaderelection.Nodes.standingBy;
import static io.leaderelection.Nodes.until;
import static io.leaderelection.Nodes.workUnderWay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What an operator can ask of a node: to step down, hand over, stand aside.
 */
@Timeout(60)
class OperatorTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	@RegisterExtension
	final Nodes nodes = new Nodes();

	@Test
	void steppingDownLetsAnotherNodeLead() {
		LeaderElector a = leading(this.nodes.start("a", LONG).elector("reports"));
		LeaderElector b = standingBy(this.nodes.start("b", LONG).elector("reports"));
		assertThat(a.operations().stepDown()).succeedsWithin(SOON).isEqualTo(true);
		assertThat(a.isLeader()).isFalse();
		leading(b);
		assertThat(a.status().lastTransition().orElseThrow().reason()).contains(LossReason.STEPPED_DOWN);
	}

	@Test
	void steppingDownAloneLeavesTheLeaseFreeForTheHoldOff() {
		TroubledStore store = this.nodes.troubledStore();
		LeaderElector a = leading(this.nodes.start("a", LONG, store).elector("reports"));
		assertThat(a.operations().stepDown(Duration.ofHours(1))).succeedsWithin(SOON).isEqualTo(true);
		int asked = store.calls(Operation.ACQUIRE);
		// a hint does not end the hold-off, nor does another election that is asked for
		this.nodes.store().evict("reports");
		LeaderElections other = this.nodes.start("b", LONG);
		leading(other.elector("reports"));
		other.stop();
		assertThat(a.isLeader()).isFalse();
		assertThat(store.calls(Operation.ACQUIRE)).isEqualTo(asked);
		assertThat(a.tryBecomeLeader()).isTrue();
	}

	@Test
	void theHoldOffEndsByItself() {
		LeaderElector a = leading(this.nodes.start("a", LONG).elector("reports"));
		FencingToken first = a.fencingToken().orElseThrow();
		long before = System.nanoTime();
		assertThat(a.operations().stepDown(Duration.ofMillis(300))).succeedsWithin(SOON).isEqualTo(true);
		assertThat(leading(a).fencingToken().orElseThrow().isNewerThan(first)).isTrue();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
	}

	@Test
	void aHoldOffIsNotNegative() {
		LeaderElector a = leading(this.nodes.start("a", LONG).elector("reports"));
		assertThatIllegalArgumentException().isThrownBy(() -> a.operations().stepDown(Duration.ofSeconds(-1)))
			.withMessage("holdOff must not be negative, but is PT-1S");
		assertThat(a.isLeader()).isTrue();
	}

	@Test
	void steppingDownWithoutLeadingChangesNothing() {
		leading(this.nodes.start("a", LONG).elector("reports"));
		LeaderElector b = standingBy(this.nodes.start("b", LONG).elector("reports"));
		assertThat(b.operations().stepDown()).succeedsWithin(SOON).isEqualTo(false);
		assertThat(b.status().lastTransition()).isEmpty();
	}

	@Test
	void aTransferGoesToTheNamedNode() {
		LeaderElector a = leading(this.nodes.start("a", LONG).elector("reports"));
		LeaderElector b = standingBy(this.nodes.start("b", LONG).elector("reports"));
		LeaderElector c = standingBy(this.nodes.start("c", LONG).elector("reports"));
		assertThat(a.operations().transferTo("c")).succeedsWithin(SOON).isEqualTo(true);
		leading(c);
		assertThat(c.operations().transferTo("b")).succeedsWithin(SOON).isEqualTo(true);
		leading(b);
		assertThat(a.status().lastTransition().orElseThrow().reason()).contains(LossReason.TRANSFERRED);
	}

	@Test
	void aTransferToAnUnknownNodeChangesNothing() {
		LeaderElector a = leading(this.nodes.start("a", LONG).elector("reports"));
		standingBy(this.nodes.start("b", LONG).elector("reports"));
		FencingToken token = a.fencingToken().orElseThrow();
		assertThat(a.operations().transferTo("x")).failsWithin(SOON)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(UnknownCandidateException.class)
			.withMessage("'x' does not stand for 'reports'; known candidates: b");
		assertThat(a.fencingToken()).contains(token);
	}

	@Test
	void aTransferByANodeThatDoesNotLeadChangesNothing() {
		LeaderElector a = leading(this.nodes.start("a", LONG).elector("reports"));
		LeaderElector b = standingBy(this.nodes.start("b", LONG).elector("reports"));
		assertThat(b.operations().transferTo("a")).failsWithin(SOON)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(NotLeaderException.class)
			.withMessage("This node does not lead 'reports'; the leader is 'a'");
		assertThat(a.isLeader()).isTrue();
	}

	@Test
	void aTransferFailsWhenTheStoreCannotSayWhoStandsBy() {
		TroubledStore store = this.nodes.troubledStore().before(TroubledStore.refusal(), Operation.READ);
		LeaderElector a = leading(this.nodes.start("a", LONG, store).elector("reports"));
		assertThat(a.operations().transferTo("b")).failsWithin(SOON)
			.withThrowableThat()
			.withMessageContaining("connection refused");
		assertThat(a.isLeader()).isTrue();
	}

	@Test
	void aTransferredLeaseThatIsNotTakenIsFreeAfterTheGrace() {
		ElectionSettings settings = ElectionSettings.builder()
			.leaseDuration(Duration.ofSeconds(60))
			.transferGrace(Duration.ofMillis(200))
			.build();
		LeaderElector a = leading(this.nodes.start("a", settings).elector("reports"));
		LeaderElections gone = this.nodes.start("b", settings);
		standingBy(gone.elector("reports"));
		gone.stop();
		FencingToken first = a.fencingToken().orElseThrow();
		assertThat(a.operations().transferTo("b")).succeedsWithin(SOON).isEqualTo(true);
		assertThat(leading(a).fencingToken().orElseThrow().isNewerThan(first)).isTrue();
	}

	@Test
	void aPausedNodeStandsAsideUntilItIsResumed() {
		LeaderElector a = leading(this.nodes.start("a", LONG).elector("reports"));
		assertThat(a.operations().pause()).succeedsWithin(SOON).isEqualTo(true);
		assertThat(a.status().state()).isEqualTo(ElectionState.PAUSED);
		assertThat(a.status().lastTransition().orElseThrow().reason()).contains(LossReason.PAUSED);
		assertThat(a.tryBecomeLeader()).isFalse();
		a.operations().resume();
		leading(a);
	}

	@Test
	void aFollowerThatIsPausedDoesNotTakeAFreeLease() {
		LeaderElections a = this.nodes.start("a", LONG);
		leading(a.elector("reports"));
		TroubledStore store = this.nodes.troubledStore();
		LeaderElector b = standingBy(this.nodes.start("b", LONG, store).elector("reports"));
		assertThat(b.operations().pause()).succeedsWithin(SOON).isEqualTo(false);
		int asked = store.calls(Operation.ACQUIRE);
		a.stop();
		assertThat(b.status().state()).isEqualTo(ElectionState.PAUSED);
		assertThat(store.calls(Operation.ACQUIRE)).isEqualTo(asked);
		b.operations().resume();
		leading(b);
	}

	@Test
	void aPauseOutlastsAStop() {
		LeaderElections node = this.nodes.start("a", LONG);
		LeaderElector a = leading(node.elector("reports"));
		assertThat(a.operations().pause()).succeedsWithin(SOON).isEqualTo(true);
		node.stop();
		node.start();
		assertThat(a.tryBecomeLeader()).isFalse();
		assertThat(a.status().state()).isEqualTo(ElectionState.PAUSED);
		a.operations().resume();
		leading(a);
	}

	@Test
	void resumingWhileThePauseStillDrainsEndsWithLeading() {
		LeaderElector a = leading(this.nodes.start("a", LONG).elector("reports"));
		Work work = workUnderWay(a);
		CompletableFuture<Boolean> paused = a.operations().pause();
		assertThat(a.status().state()).isEqualTo(ElectionState.DRAINING);
		assertThat(a.status().inFlight()).isEqualTo(1);
		a.operations().resume();
		assertThat(a.isLeader()).isFalse();
		work.end();
		assertThat(paused).succeedsWithin(SOON).isEqualTo(true);
		leading(a);
	}

	@Test
	void whoeverAsksForTheEndMeanwhileWaitsForTheSameEnd() {
		LeaderElections node = this.nodes.start("a", LONG);
		LeaderElector a = leading(node.elector("reports"));
		Work work = workUnderWay(a);
		CompletableFuture<Boolean> steppedDown = a.operations().stepDown(Duration.ZERO);
		CompletableFuture<Boolean> paused = a.operations().pause();
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(node::stop, Threads.EACH);
		until(() -> !node.elector("late").tryBecomeLeader());
		work.end();
		assertThat(steppedDown).succeedsWithin(SOON).isEqualTo(true);
		assertThat(paused).succeedsWithin(SOON).isEqualTo(true);
		assertThat(stopped).succeedsWithin(SOON);
		assertThat(a.status().lastTransition().orElseThrow().reason()).contains(LossReason.STEPPED_DOWN);
	}

}
