package io.leaderelection.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.Gate;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipListener;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.OnLoss;
import io.leaderelection.Registration;
import io.leaderelection.Threads;
import io.leaderelection.Work;
import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.leaderelection.Nodes.workUnderWay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Work of threads under a leadership, and what becomes of it when that ends.
 */
@Timeout(60)
class WorkTests {

	private final ManualClock clock = new ManualClock();

	private final InMemoryLeaseStore store = ManualNode.storeOn(this.clock);

	private final ManualNode node = new ManualNode("a", this.clock, this.store);

	private final DefaultLeaderElector elector = this.node.engine().elector("reports", ManualNode.SETTINGS);

	private final DefaultLeaderElector other = this.node.engine().elector("invoices", ManualNode.SETTINGS);

	@AfterEach
	void leaveNothingOnThisThread() {
		assertThat(Leadership.current()).isEmpty();
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void aFollowerBeginsNothing() {
		assertThat(this.elector.begin(OnLoss.SIGNAL)).isEmpty();
		assertThat(Leadership.current()).isEmpty();
	}

	@Test
	void workKnowsItsLeadershipAndIsCounted() {
		lead();
		Work work = begin(this.elector, OnLoss.SIGNAL);
		assertThat(Leadership.current()).containsSame(work.leadership());
		assertThat(work.leadership().token()).isEqualTo(this.elector.fencingToken().orElseThrow());
		assertThat(this.elector.status().inFlight()).isOne();
		assertThat(work.end()).isTrue();
		assertThat(this.elector.status().inFlight()).isZero();
	}

	@Test
	void innerWorkHidesTheLeadershipOfOuterWork() {
		lead();
		Work outer = begin(this.elector, OnLoss.SIGNAL);
		Work inner = begin(this.other, OnLoss.SIGNAL);
		assertThat(Leadership.current()).containsSame(inner.leadership());
		inner.end();
		assertThat(Leadership.current()).containsSame(outer.leadership());
		outer.end();
	}

	@Test
	void workIsEndedByItsThreadInnerWorkFirst() {
		lead();
		Work outer = begin(this.elector, OnLoss.SIGNAL);
		assertThat(CompletableFuture.runAsync(outer::end, Threads.EACH)).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(IllegalStateException.class);
		assertThat(CompletableFuture.runAsync(() -> {
			CurrentLeadership.set(outer.leadership());
			outer.end();
		}, Threads.EACH)).as("by a thread that only carries the leadership")
			.failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(IllegalStateException.class);
		Work inner = begin(this.other, OnLoss.SIGNAL);
		assertThatIllegalStateException().isThrownBy(outer::end).withMessageContaining("'reports'");
		assertThat(inner.end()).isTrue();
		assertThat(outer.end()).isTrue();
	}

	@Test
	void workThatOutlastsItsLeadershipIsTold() {
		lead();
		Work work = begin(this.elector, OnLoss.SIGNAL);
		this.clock.advance(ManualNode.SETTINGS.leaseDuration());
		assertThat(work.leadership().isHeld()).isFalse();
		assertThat(work.end()).isFalse();
	}

	@Test
	void closingWorkThatOutlastsItsLeadershipFails() {
		lead();
		Work work = begin(this.elector, OnLoss.SIGNAL);
		this.clock.advance(ManualNode.SETTINGS.leaseDuration());
		assertThatExceptionOfType(LeadershipLostException.class).isThrownBy(work::close);
		assertThat(this.elector.status().inFlight()).isZero();
	}

	@Test
	void aDetachedPartIsWaitedForAndEndedByAnyThread() {
		lead();
		Work part;
		try (Work work = begin(this.elector, OnLoss.INTERRUPT)) {
			part = work.detached();
		}
		assertThat(Leadership.current()).isEmpty();
		CompletableFuture<Boolean> released = this.elector.stepDown();
		this.node.settle();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(released).isNotDone();
		assertThat(CompletableFuture.supplyAsync(part::end, Threads.EACH)).succeedsWithin(Duration.ofSeconds(20))
			.isEqualTo(true);
		this.node.settle();
		assertThat(released).isCompletedWithValue(true);
	}

	@Test
	void workUnderWayIsInterruptedWhenItsLeadershipBeginsToEnd() {
		lead();
		Work work = begin(this.elector, OnLoss.INTERRUPT);
		Work quiet = begin(this.other, OnLoss.SIGNAL);
		this.other.stepDown();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		quiet.end();
		this.elector.stepDown();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(work.leadership().isCurrent()).isFalse();
		assertThat(work.leadership().isHeld()).isTrue();
		assertThat(work.end()).isTrue();
		assertThat(Thread.currentThread().isInterrupted()).as("after the work").isFalse();
	}

	@Test
	void workUnderWayIsInterruptedWhenTheLeaseLapses() {
		lead();
		Gate gate = new Gate();
		CompletableFuture<Boolean> work = CompletableFuture.supplyAsync(() -> {
			Work begun = begin(this.elector, OnLoss.INTERRUPT);
			try {
				gate.pass();
				return null;
			}
			catch (IllegalStateException ex) {
				assertThat(ex).hasCauseInstanceOf(InterruptedException.class);
				return begun.end();
			}
		}, Threads.EACH);
		gate.awaitArrival();
		this.node.pass(ManualNode.SETTINGS.leaseDuration());
		assertThat(work).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(false);
	}

	@Test
	void anInterruptLastsUntilTheOutermostWorkThatItIsMeantForEnds() {
		lead();
		Work outer = begin(this.elector, OnLoss.INTERRUPT);
		Work part = begin(this.elector, OnLoss.INTERRUPT);
		this.elector.stepDown();
		part.end();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		outer.end();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void soItDoesIfTheWorkAroundIsThatOfAnotherElection() {
		lead();
		Work outer = begin(this.other, OnLoss.INTERRUPT);
		Work inner = begin(this.elector, OnLoss.INTERRUPT);
		this.node.engine().stop();
		inner.end();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		outer.end();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void anInterruptOfInnerWorkEndsWithIt() {
		lead();
		Work outer = begin(this.other, OnLoss.INTERRUPT);
		Work inner = begin(this.elector, OnLoss.INTERRUPT);
		this.elector.stepDown();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		inner.end();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		outer.end();
	}

	@Test
	void anInterruptOfSomebodyElseOutlastsTheWork() {
		lead();
		Work work = begin(this.elector, OnLoss.INTERRUPT);
		Thread.currentThread().interrupt();
		work.end();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void workThatHasEndedIsNotInterrupted() {
		lead();
		begin(this.elector, OnLoss.INTERRUPT).end();
		Work reused = begin(this.elector, OnLoss.SIGNAL);
		this.elector.stepDown();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		reused.end();
	}

	@Test
	void aStepDownLetsWorkFinishThatItWaitsForWithAllItsParts() {
		lead();
		Work work = begin(this.elector, OnLoss.SIGNAL);
		CompletableFuture<Boolean> released = this.elector.stepDown();
		this.node.settle();
		Work part = begin(this.elector, OnLoss.INTERRUPT);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(CompletableFuture.supplyAsync(() -> this.elector.begin(OnLoss.SIGNAL).isEmpty(), Threads.EACH))
			.as("work of another thread is refused")
			.succeedsWithin(Duration.ofSeconds(20))
			.isEqualTo(true);
		assertThat(part.end()).isTrue();
		this.node.settle();
		assertThat(released).isNotDone();
		assertThat(work.end()).isTrue();
		this.node.settle();
		assertThat(released).isCompletedWithValue(true);
	}

	@Test
	void aThreadThatOnlyCarriesALeadershipCannotBeginUnderItOnceItEnds() {
		lead();
		Leadership leadership = this.elector.leadership().orElseThrow();
		CurrentLeadership.set(leadership);
		this.elector.addListener(new LeadershipListener() {
		});
		this.elector.stepDown();
		assertThat(leadership.isHeld()).isTrue();
		assertThat(this.elector.begin(OnLoss.SIGNAL)).isEmpty();
		assertThat(this.elector.status().inFlight()).isZero();
		CurrentLeadership.set(null);
	}

	@Test
	void workMayReturnToAnOuterElectionThatIsDraining() {
		lead();
		Work outer = begin(this.elector, OnLoss.SIGNAL);
		Work between = begin(this.other, OnLoss.SIGNAL);
		CompletableFuture<Boolean> released = this.elector.stepDown();
		this.node.settle();
		Work inner = begin(this.elector, OnLoss.SIGNAL);
		assertThat(inner.leadership()).isSameAs(outer.leadership());
		assertThat(inner.end()).isTrue();
		assertThat(between.end()).isTrue();
		this.node.settle();
		assertThat(released).isNotDone();
		assertThat(outer.end()).isTrue();
		this.node.settle();
		assertThat(released).isCompletedWithValue(true);
	}

	@Test
	void theInterruptOfTheOutermostWorkSurvivesTheEndOfTheInnermost() {
		DefaultLeaderElector third = this.node.engine().elector("mails", ManualNode.SETTINGS);
		lead();
		Work outer = begin(this.elector, OnLoss.INTERRUPT);
		Work between = begin(this.other, OnLoss.INTERRUPT);
		Work inner = begin(third, OnLoss.INTERRUPT);
		this.elector.stepDown();
		third.stepDown();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		inner.end();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		between.end();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		outer.end();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		this.node.settle();
	}

	@Test
	void workThatExceedsTheDrainTimeoutIsInterruptedAgainAndNamed() throws Exception {
		lead();
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch interruptedOnce = new CountDownLatch(1);
		CompletableFuture<Boolean> lasted = CompletableFuture.supplyAsync(() -> {
			Work work = begin(this.elector, OnLoss.INTERRUPT);
			begun.countDown();
			sleepUntilInterrupted();
			interruptedOnce.countDown();
			sleepUntilInterrupted();
			return work.end();
		}, Threads.EACH);
		begun.await();
		this.elector.stepDown();
		interruptedOnce.await();
		this.node.pass(ManualNode.SETTINGS.drainTimeout().plusSeconds(1), this.node::settle);
		assertThat(lasted).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(false);
		assertThat(this.node.log()).anyMatch((line) -> line.startsWith("drain timed out: reports 1 "))
			.anyMatch((line) -> line.contains(WorkTests.class.getName()));
	}

	private static void sleepUntilInterrupted() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			// what this waits for
		}
	}

	@Test
	void aLeaseIsNotHeldOnceItsReleaseMayHaveReachedTheStore() {
		lead();
		Leadership leadership = this.elector.leadership().orElseThrow();
		this.elector.stepDown();
		assertThat(this.node.call().operation()).isEqualTo(Operation.RELEASE);
		assertThat(leadership.isHeld()).isFalse();
	}

	@Test
	void partsOfWorkAreRefusedOnceTheLeaseIsGone() {
		lead();
		Work work = begin(this.elector, OnLoss.SIGNAL);
		this.clock.advance(ManualNode.SETTINGS.leaseDuration());
		assertThat(this.elector.begin(OnLoss.SIGNAL)).isEmpty();
		work.end();
		assertThat(this.elector.status().inFlight()).isZero();
	}

	@Test
	void anEndingIsToldOnceToEachWhoAskedAndStillWantsIt() {
		lead();
		List<String> told = new ArrayList<>();
		Leadership leadership = this.elector.leadership().orElseThrow();
		Runnable same = () -> told.add("same");
		leadership.onEnding(same);
		Registration second = leadership.onEnding(same);
		leadership.onEnding(() -> told.add("other"));
		second.close();
		this.elector.stepDown();
		assertThat(told).as("before the callbacks").isEmpty();
		this.node.settle();
		assertThat(told).containsExactly("same", "other");
		leadership.onEnding(() -> told.add("late"));
		this.node.settle();
		assertThat(told).containsExactly("same", "other", "late");
	}

	@Test
	void anEndingIsToldBeforeTheListenersOfTheLoss() {
		lead();
		List<String> told = new ArrayList<>();
		this.elector.onLeadershipLost(() -> told.add("lost"));
		Leadership leadership = this.elector.leadership().orElseThrow();
		Work work = workUnderWay(this.elector);
		leadership.onEnding(() -> {
			told.add("ending");
			work.end();
		});
		CompletableFuture<Boolean> released = this.elector.stepDown();
		this.node.settle();
		assertThat(told).containsExactly("ending", "lost");
		assertThat(released).isCompletedWithValue(true);
	}

	@Test
	void aRecheckAsksTheStoreAtOnce() {
		lead();
		long renewals = this.node.count(Operation.RENEW);
		this.elector.recheck();
		assertThat(this.node.count(Operation.RENEW)).isEqualTo(renewals + 1);
		this.node.settle();
		assertThat(this.elector.isLeader()).isTrue();
		this.elector.stepDown();
		this.node.settle();
		renewals = this.node.count(Operation.RENEW);
		this.elector.recheck();
		this.node.settle();
		assertThat(this.node.count(Operation.RENEW)).isEqualTo(renewals);
	}

	private static Work begin(DefaultLeaderElector elector, OnLoss onLoss) {
		return elector.begin(onLoss).orElseThrow();
	}

	private void lead() {
		this.node.engine().start();
		this.node.settle();
		assertThat(this.elector.isLeader()).isTrue();
		assertThat(this.other.isLeader()).isTrue();
	}

}
