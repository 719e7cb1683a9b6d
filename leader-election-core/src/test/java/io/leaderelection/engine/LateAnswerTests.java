package io.leaderelection.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.ElectionSettings;
import io.leaderelection.ElectionState;
import io.leaderelection.FencingToken;
import io.leaderelection.Leader;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LossReason;
import io.leaderelection.Recorder;
import io.leaderelection.Work;
import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.Test;

import static io.leaderelection.Nodes.workUnderWay;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Answers that come after the engine has given them up, or after newer ones.
 */
class LateAnswerTests {

	private final ManualClock clock = new ManualClock();

	private final InMemoryLeaseStore store = ManualNode.storeOn(this.clock);

	private final ManualNode node = new ManualNode("a", this.clock, this.store);

	private final DefaultLeaderElector elector = this.node.engine().elector("reports", ManualNode.SETTINGS);

	private final ManualNode other = new ManualNode("b", this.clock, this.store);

	private final DefaultLeaderElector rival = this.other.engine().elector("reports", ManualNode.SETTINGS);

	private final Recorder recorder = new Recorder();

	@Test
	void aHungCallForALongLeaseDoesNotCostAShortOne() {
		DefaultLeaderElector nightly = this.node.engine()
			.elector("nightly", ElectionSettings.ofLease(Duration.ofMinutes(5)));
		this.elector.addListener(this.recorder);
		this.node.engine().start();
		this.node.settle();
		FencingToken token = this.elector.fencingToken().orElseThrow();
		nightly.candidates();
		assertThat(this.node.call().operation()).isEqualTo(Operation.READ);
		this.node.pass(Duration.ofSeconds(60),
				() -> this.node.openCall()
					.filter((call) -> call.operation() != Operation.READ)
					.ifPresent(ManualNode.ManualCall::answer));
		assertThat(this.elector.fencingToken()).contains(token);
	}

	@Test
	void aSingleLateAnswerIsNoWarning() {
		this.node.engine().start();
		this.node.pass(ManualNode.SETTINGS.callTimeout());
		assertThat(this.elector.status().failuresInARow()).isOne();
		assertThat(this.node.errors()).isEmpty();
		this.node.settle();
		this.node.pass(Duration.ofSeconds(5), this.node::settle);
		assertThat(this.elector.isLeader()).isTrue();
		assertThat(this.node.log()).doesNotContain("store failed", "store recovered");
	}

	@Test
	void aSecondLateAnswerInARowIsOneWarning() {
		this.node.engine().start();
		this.node.pass(ManualNode.SETTINGS.leaseDuration());
		assertThat(this.elector.status().failuresInARow()).isGreaterThan(2);
		assertThat(this.node.log()).containsOnlyOnce("store failed");
	}

	@Test
	void aLateGrantIsLedWithIfNothingElseCame() {
		this.node.engine().start();
		Runnable answer = this.node.call().perform();
		this.node.pass(Duration.ofSeconds(2));
		assertThat(this.elector.status().failuresInARow()).isEqualTo(1);
		answer.run();
		assertThat(this.elector.isLeader()).isTrue();
		// counted from the sending: 9.4 s less the 2 s that the answer took
		assertThat(this.elector.status().remainingValidity()).isLessThanOrEqualTo(Duration.ofMillis(7_400));
	}

	@Test
	void aStoreThatIsAlwaysLateIsOneLongTroubleThatCostsNoLeadership() {
		Deque<Runnable> answers = new ArrayDeque<>();
		Deque<Long> arrivals = new ArrayDeque<>();
		this.elector.addListener(this.recorder);
		this.node.engine().start();
		for (int i = 0; i < 1_200; i++) {
			this.node.openCall().ifPresent((call) -> {
				answers.add(call.perform());
				arrivals.add(this.clock.nanos() + Duration.ofMillis(2_500).toNanos());
			});
			while (!arrivals.isEmpty() && arrivals.peek() <= this.clock.nanos()) {
				arrivals.remove();
				answers.remove().run();
			}
			this.node.runCallbacks();
			this.node.pass(Duration.ofMillis(50));
		}
		assertThat(this.elector.isLeader()).isTrue();
		assertThat(this.recorder.transitions()).containsExactly("gained 1");
		assertThat(this.node.log()).containsExactly("store failed");
	}

	@Test
	void aGrantThatComesAfterItsValidityIsNotLedWith() {
		this.node.engine().start();
		Runnable answer = this.node.call().perform();
		this.node.pass(Duration.ofMillis(9_400));
		answer.run();
		assertThat(this.elector.isLeader()).isFalse();
	}

	@Test
	void aLateGrantDuringAHoldOffIsGivenBack() {
		this.node.engine().start();
		ManualNode.ManualCall<?> hung = this.node.call();
		this.node.pass(Duration.ofMillis(2_200));
		this.node.settle();
		assertThat(this.elector.isLeader()).isTrue();
		CompletableFuture<Boolean> released = this.elector.stepDown(Duration.ofHours(1));
		this.node.settle();
		assertThat(released).isCompletedWithValue(true);
		hung.answer();
		assertThat(this.elector.isLeader()).isFalse();
		assertThat(this.node.call().operation()).isEqualTo(Operation.RELEASE);
		this.node.settle();
		assertThat(this.store.read("reports").flatMap(LeaseView::holder)).isEmpty();
	}

	@Test
	void aGrantThatComesWhilePausedIsGivenBack() {
		this.node.engine().start();
		this.elector.pause();
		this.node.call().answer();
		assertThat(this.elector.isLeader()).isFalse();
		assertThat(this.node.call().operation()).isEqualTo(Operation.RELEASE);
		this.node.settle();
		assertThat(this.store.read("reports").flatMap(LeaseView::holder)).isEmpty();
		this.elector.resume();
		this.node.settle();
		assertThat(this.elector.isLeader()).isTrue();
	}

	@Test
	void aLeadershipWhoseValidityHasLapsedNeverBecomesCurrentAgain() {
		this.elector.addListener(this.recorder);
		this.node.engine().start();
		Runnable late = this.node.call().perform();
		passUntilItAsksAgain();
		late.run();
		Leadership leadership = this.elector.leadership().orElseThrow();
		// the process stands still, and the second request has prolonged the lease
		Runnable answer = this.node.call().perform();
		this.clock.advance(Duration.ofMillis(7_400));
		assertThat(leadership.isCurrent()).isFalse();
		answer.run();
		assertThat(leadership.isCurrent()).isFalse();
		this.node.runCallbacks();
		assertThat(this.recorder.transitions()).hasSize(2);
	}

	@Test
	void aRenewalThatComesAfterTheValidityDoesNotReviveIt() {
		this.elector.addListener(this.recorder);
		this.node.engine().start();
		this.node.settle();
		long token = this.elector.fencingToken().orElseThrow().value();
		this.node.pass(Duration.ofMillis(3_334));
		assertThat(this.node.call().operation()).isEqualTo(Operation.RENEW);
		Runnable answer = this.node.call().perform();
		// the process stands still beyond the end of the first validity
		this.clock.advance(Duration.ofMillis(6_100));
		assertThat(this.elector.isLeader()).isFalse();
		answer.run();
		assertThat(this.elector.isLeader()).isFalse();
		this.node.runCallbacks();
		assertThat(this.recorder.transitions()).containsExactly("gained " + token, "lost %d EXPIRED".formatted(token));
	}

	@Test
	void aRefusalThatComesAfterAGrantTellsNothingOfALeader() {
		this.other.engine().start();
		this.other.settle();
		FencingToken first = this.rival.fencingToken().orElseThrow();
		this.elector.addListener(this.recorder);
		this.node.engine().start();
		Runnable refusal = this.node.call().perform();
		this.node.pass(Duration.ofMillis(2_200));
		this.rival.stepDown(Duration.ofHours(1));
		this.other.settle();
		this.node.settle();
		assertThat(this.elector.isLeader()).isTrue();
		refusal.run();
		this.node.runCallbacks();
		assertThat(this.recorder.leaderChanges()).extracting(LeaderChanged::leader)
			.doesNotContain(new Leader("b", first));
		this.elector.pause();
		this.node.settle();
		assertThat(this.elector.getCurrentLeader()).isEmpty();
	}

	@Test
	void aHintIsNotLostThoughALateAnswerCameBefore() {
		this.other.engine().start();
		this.other.settle();
		this.node.engine().start();
		Runnable late = this.node.call().perform();
		passUntilItAsksAgain();
		Runnable refusal = this.node.call().perform();
		late.run();
		// released after the second request had been refused, before its answer came
		this.rival.stepDown(Duration.ofHours(1));
		this.other.settle();
		refusal.run();
		this.node.settle();
		assertThat(this.elector.isLeader()).isTrue();
	}

	@Test
	void aHintThatComesWhileARequestIsUnderWayIsNotLost() {
		this.other.engine().start();
		this.other.settle();
		this.node.engine().start();
		this.node.settle();
		this.elector.attempt();
		Runnable refusal = this.node.call().perform();
		this.rival.stepDown(Duration.ofHours(1));
		this.other.settle();
		refusal.run();
		this.node.settle();
		assertThat(this.elector.isLeader()).isTrue();
	}

	@Test
	void anAttemptIsAnsweredByARequestThatWasSentAfterIt() {
		this.other.engine().start();
		this.other.settle();
		// without hints
		this.node.engine().start();
		Runnable refusal = this.node.call().perform();
		this.rival.stepDown(Duration.ofHours(1));
		this.other.settle();
		CompletableFuture<Boolean> attempt = this.elector.attempt();
		refusal.run();
		this.node.runCallbacks();
		assertThat(attempt).isNotDone();
		this.node.settle();
		assertThat(attempt).isCompletedWithValue(true);
	}

	@Test
	void anAttemptIsOverWhenItsRequestFails() {
		this.node.engine().start();
		CompletableFuture<Boolean> first = this.elector.attempt();
		this.node.call().fail(new LeaseStoreException("connection refused"));
		this.node.runCallbacks();
		CompletableFuture<Boolean> second = this.elector.attempt();
		this.node.settle();
		assertThat(List.of(first, second)).allMatch(CompletableFuture::isDone);
		assertThat(second).isCompletedWithValue(true);
	}

	@Test
	void anAttemptIsOverWhenTheStoreNeverAnswers() {
		this.node.engine().start();
		CompletableFuture<Boolean> attempt = this.elector.attempt();
		this.node.pass(Duration.ofSeconds(10));
		this.node.runCallbacks();
		assertThat(attempt).isCompletedWithValue(false);
	}

	@Test
	void attemptsAreOverWhenTheNodeStops() {
		this.node.engine().start();
		CompletableFuture<Boolean> attempt = this.elector.attempt();
		this.node.engine().stop();
		this.node.runCallbacks();
		assertThat(attempt).isCompletedWithValue(false);
	}

	@Test
	void aReleaseWhoseLateAnswerComesDuringTheNextAttemptCounts() {
		this.node.engine().start();
		this.node.settle();
		CompletableFuture<Boolean> released = this.elector.stepDown(Duration.ofHours(1));
		Runnable late = this.node.call().perform();
		this.node.pass(Duration.ofMillis(2_100));
		late.run();
		this.node.settle();
		assertThat(released).isCompletedWithValue(true);
		assertThat(this.elector.status().lastTransition().orElseThrow().reason()).contains(LossReason.STEPPED_DOWN);
	}

	@Test
	void aLateAnswerToTheReleaseOfOneLeadershipDoesNotEndTheNext() {
		this.node.engine().start();
		this.node.settle();
		this.elector.stepDown(Duration.ZERO);
		Runnable late = this.node.call().perform();
		this.node.pass(Duration.ofMillis(2_200));
		this.node.settle();
		Leadership next = this.elector.leadership().orElseThrow();
		Work work = workUnderWay(this.elector);
		CompletableFuture<Boolean> released = this.elector.stepDown(Duration.ofHours(1));
		late.run();
		this.node.settle();
		assertThat(this.elector.status().state()).isEqualTo(ElectionState.DRAINING);
		assertThat(released).isNotDone();
		work.end();
		this.node.settle();
		assertThat(released).isCompletedWithValue(true);
		assertThat(this.elector.isLeader()).isFalse();
	}

	/** The first request is given up, and the next is sent. */
	private void passUntilItAsksAgain() {
		this.node.pass(ManualNode.SETTINGS.callTimeout());
		for (int i = 0; i < 100 && !isAsking(); i++) {
			this.node.openCall().ifPresent(ManualNode.ManualCall::answer);
			this.node.pass(Duration.ofMillis(20));
		}
		assertThat(isAsking()).isTrue();
	}

	private boolean isAsking() {
		return this.node.openCall().filter((call) -> call.operation() == Operation.ACQUIRE).isPresent();
	}

}
