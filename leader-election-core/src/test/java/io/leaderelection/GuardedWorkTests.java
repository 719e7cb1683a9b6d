package io.leaderelection;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.leaderelection.engine.StoreAccess.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.leaderelection.Nodes.LONG;
import static io.leaderelection.Nodes.SHORT;
import static io.leaderelection.Nodes.leading;
import static io.leaderelection.Nodes.standingBy;
import static io.leaderelection.Nodes.until;
import static io.leaderelection.Nodes.workUnderWay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Work that is done under a leadership, and the end of the leadership meanwhile.
 */
@Timeout(60)
class GuardedWorkTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	@RegisterExtension
	final Nodes nodes = new Nodes();

	@Test
	void aLeaderDoesTheWork() throws Exception {
		LeaderElector a = leading(this.nodes.start("a", LONG).elector("reports"));
		assertThat(a.executeAsLeader(() -> "inFlight=" + a.status().inFlight())).isEqualTo("inFlight=1");
		assertThat(a.status().inFlight()).isZero();
	}

	@Test
	void whoDoesNotLeadDoesNotBegin() {
		leading(this.nodes.start("a", LONG).elector("reports"));
		LeaderElector b = standingBy(this.nodes.start("b", LONG).elector("reports"));
		Recorder begun = new Recorder();
		assertThatExceptionOfType(NotLeaderException.class)
			.isThrownBy(() -> b.executeAsLeader(() -> begun.events().add(null)))
			.withMessage("This node does not lead 'reports'; the leader is 'a'");
		assertThat(begun.events()).isEmpty();
	}

	@Test
	void whatTheWorkThrowsIsThrown() {
		LeaderElector a = leading(this.nodes.start("a", LONG).elector("reports"));
		IOException failure = new IOException("disk full");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> a.executeAsLeader(() -> {
			throw failure;
		})).isSameAs(failure).satisfies((ex) -> assertThat(ex.getSuppressed()).isEmpty());
		assertThat(a.status().inFlight()).isZero();
	}

	@Test
	void aStepDownWaitsForTheWorkAndAdmitsNoOther() {
		TroubledStore store = this.nodes.troubledStore();
		LeaderElector a = leading(this.nodes.start("a", LONG, store).elector("reports"));
		LeaderElector b = standingBy(this.nodes.start("b", LONG).elector("reports"));
		Leadership leadership = a.leadership().orElseThrow();
		Recorder recorder = new Recorder();
		a.addListener(recorder);
		Gate gate = this.nodes.gate();
		CompletableFuture<String> work = execute(a, gate, "done");
		CompletableFuture<Boolean> released = a.operations().stepDown();
		assertThat(a.isLeader()).isFalse();
		assertThat(leadership.isCurrent()).isFalse();
		assertThat(a.begin(OnLoss.SIGNAL)).isEmpty();
		assertThat(leadership.remainingValidity()).isZero();
		assertThatExceptionOfType(LeadershipLostException.class).isThrownBy(leadership::check);
		assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> a.executeAsLeader(() -> "more"));
		assertThat(a.status().inFlight()).isEqualTo(1);
		assertThat(b.tryBecomeLeader()).isFalse();
		assertThat(store.calls(Operation.RELEASE)).isZero();
		assertThat(recorder.transitions()).hasSizeLessThan(2);
		gate.open();
		// the lease was held until the work was done
		assertThat(work).succeedsWithin(SOON).isEqualTo("done");
		assertThat(released).succeedsWithin(SOON).isEqualTo(true);
		assertThat(recorder.transitions()).hasSize(2);
		leading(b);
	}

	@Test
	void theLastOfSeveralPiecesOfWorkLetsGo() {
		LeaderElector a = leading(this.nodes.start("a", LONG).elector("reports"));
		Work first = workUnderWay(a);
		Work last = workUnderWay(a);
		CompletableFuture<Boolean> released = a.operations().stepDown();
		first.end();
		assertThat(a.status().state()).isEqualTo(ElectionState.DRAINING);
		assertThat(released).isNotDone();
		last.end();
		assertThat(released).succeedsWithin(SOON).isEqualTo(true);
	}

	@Test
	void whatIsPartOfWorkIsCountedInWhileThatWorkIsWaitedFor() {
		LeaderElector a = leading(this.nodes.start("a", LONG).elector("reports"));
		Work work = a.begin(OnLoss.SIGNAL).orElseThrow();
		CompletableFuture<Boolean> released = a.operations().stepDown();
		assertThat(work.leadership().isCurrent()).isFalse();
		Work part = workUnderWay(a);
		Work another = work.detached();
		assertThat(work.end()).isTrue();
		assertThat(a.begin(OnLoss.SIGNAL)).isEmpty();
		assertThat(part.end()).isTrue();
		assertThat(released).isNotDone();
		assertThat(another.end()).isTrue();
		assertThat(released).succeedsWithin(SOON).isEqualTo(true);
	}

	@Test
	void workThatIsEndedTwiceIsRefusedAndHoldsNothingUp() {
		LeaderElector a = leading(this.nodes.start("a", LONG).elector("reports"));
		Work work = workUnderWay(a);
		assertThat(work.end()).isTrue();
		assertThatIllegalStateException().isThrownBy(work::end)
			.withMessage("This work under the leadership of 'reports' has ended");
		assertThatIllegalStateException().isThrownBy(work::detached);
		assertThat(a.status().inFlight()).isZero();
		assertThat(a.operations().stepDown()).succeedsWithin(SOON).isEqualTo(true);
	}

	@Test
	void workUnderALeaseThatIsTakenAwayIsReported() {
		LeaderElector a = leading(this.nodes.start("a", SHORT).elector("reports"));
		FencingToken token = a.fencingToken().orElseThrow();
		Gate gate = this.nodes.gate();
		CompletableFuture<String> work = execute(a, gate, "done");
		LeaderElector b = standingBy(this.nodes.start("b", SHORT).elector("reports"));
		this.nodes.store().evict("reports");
		leading(b);
		until(() -> !a.isLeader());
		gate.open();
		assertThat(work).failsWithin(SOON)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOfSatisfying(LeadershipLostException.class, (ex) -> assertThat(ex.token()).isEqualTo(token));
	}

	@Test
	void workThatOutlastsTheValidityIsReportedThoughNobodyHasNoticed() {
		TroubledStore store = this.nodes.troubledStore();
		LeaderElector a = leading(this.nodes.start("a", SHORT, store).elector("reports"));
		Gate gate = this.nodes.gate();
		CompletableFuture<String> work = execute(a, gate, "done");
		store.before(TroubledStore.refusal());
		until(() -> !a.isLeader());
		gate.open();
		assertThat(work).failsWithin(SOON)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(LeadershipLostException.class);
	}

	@Test
	void theWorksOwnFailureGoesFirstAndCarriesTheLoss() {
		LeaderElector a = leading(this.nodes.start("a", SHORT).elector("reports"));
		Gate gate = this.nodes.gate();
		IOException failure = new IOException("disk full");
		CompletableFuture<String> work = CompletableFuture.supplyAsync(() -> {
			try {
				return a.executeAsLeader(() -> {
					gate.pass();
					throw failure;
				});
			}
			catch (Exception ex) {
				throw new CompletionException(ex);
			}
		}, Threads.EACH);
		gate.awaitArrival();
		this.nodes.store().evict("reports");
		until(() -> !a.isLeader());
		gate.open();
		assertThat(work).failsWithin(SOON).withThrowableThat().havingRootCause().isSameAs(failure);
		assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LeadershipLostException.class);
	}

	@Test
	void aDrainThatTakesTooLongReleasesNothingEarly() {
		ElectionSettings settings = ElectionSettings.builder()
			.leaseDuration(Duration.ofSeconds(1))
			.drainTimeout(Duration.ofMillis(300))
			.build();
		TroubledStore store = this.nodes.troubledStore();
		LeaderElector a = leading(this.nodes.start("a", settings, store).elector("reports"));
		Recorder recorder = new Recorder();
		a.addListener(recorder);
		LeaderElector b = standingBy(this.nodes.start("b", settings).elector("reports"));
		Gate gate = this.nodes.gate();
		CompletableFuture<String> work = execute(a, gate, "done");
		assertThat(a.operations().stepDown(Duration.ofHours(1))).succeedsWithin(SOON).isEqualTo(false);
		int renewals = store.calls(Operation.RENEW);
		until(() -> recorder.transitions().size() == 2);
		leading(b);
		assertThat(store.calls(Operation.RELEASE)).isZero();
		assertThat(store.calls(Operation.RENEW)).isLessThanOrEqualTo(renewals + 1);
		gate.open();
		assertThat(work).failsWithin(SOON)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(LeadershipLostException.class);
		assertThat(b.isLeader()).isTrue();
	}

	@Test
	void whatIsCalledWhenWorkBeginsCanPreventIt() throws Exception {
		LeaderElections node = this.nodes.start("a", LONG);
		LeaderElector a = leading(node.elector("reports"));
		List<FencingToken> begun = new ArrayList<>();
		Registration registration = node.onWork((leadership) -> {
			begun.add(leadership.token());
			throw new IllegalStateException("no fence");
		});
		assertThatIllegalStateException().isThrownBy(() -> a.executeAsLeader(() -> "done")).withMessage("no fence");
		assertThat(begun).containsExactly(a.fencingToken().orElseThrow());
		assertThat(a.status().inFlight()).isZero();
		assertThat(CurrentLeadership.get()).isNull();
		registration.close();
		assertThat(a.executeAsLeader(() -> "done")).isEqualTo("done");
	}

	@Test
	void aStopWaitsForTheWorkAndGivesTheLeaseUp() {
		TroubledStore store = this.nodes.troubledStore();
		LeaderElections node = this.nodes.start("a", LONG, store);
		LeaderElector a = leading(node.elector("reports"));
		Gate gate = this.nodes.gate();
		CompletableFuture<String> work = execute(a, gate, "done");
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(node::stop, Threads.EACH);
		until(() -> a.status().state() == ElectionState.DRAINING);
		assertThat(node.isRunning()).isTrue();
		assertThat(stopped).isNotDone();
		gate.open();
		assertThat(work).succeedsWithin(SOON).isEqualTo("done");
		assertThat(stopped).succeedsWithin(SOON);
		assertThat(store.calls(Operation.RELEASE)).isEqualTo(1);
	}

	private static CompletableFuture<String> execute(LeaderElector elector, Gate gate, String result) {
		CompletableFuture<String> work = CompletableFuture.supplyAsync(() -> {
			try {
				return elector.executeAsLeader(() -> {
					gate.pass();
					return result;
				});
			}
			catch (Exception ex) {
				throw new CompletionException(ex);
			}
		}, Threads.EACH);
		gate.awaitArrival();
		return work;
	}

}
