package io.leaderelection.engine;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.leaderelection.ElectionSettings;
import io.leaderelection.ElectionState;
import io.leaderelection.FencingToken;
import io.leaderelection.Gate;
import io.leaderelection.Ineligibility;
import io.leaderelection.Leader;
import io.leaderelection.Leadership;
import io.leaderelection.LossReason;
import io.leaderelection.NotLeaderException;
import io.leaderelection.Recorder;
import io.leaderelection.Threads;
import io.leaderelection.Transition;
import io.leaderelection.TroubledStore;
import io.leaderelection.Work;
import io.leaderelection.engine.ManualNode.ManualTimer;
import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.leaderelection.Nodes.workUnderWay;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The engine in a time that the test moves.
 */
@Timeout(60)
class ElectionEngineTests {

	private static final Duration LEASE = ManualNode.SETTINGS.leaseDuration();

	private final ManualClock clock = new ManualClock();

	private final InMemoryLeaseStore store = ManualNode.storeOn(this.clock);

	private final TroubledStore troubled = new TroubledStore(this.store);

	private final ManualNode node = new ManualNode("a", this.clock, this.troubled);

	private final DefaultLeaderElector elector = this.node.engine().elector("reports", ManualNode.SETTINGS);

	private final Recorder recorder = new Recorder();

	@Test
	void whoLeadsIsAnsweredWhileTheEngineIsBusy() {
		lead();
		Gate gate = new Gate();
		this.clock.beforeNextReading(gate::pass);
		CompletableFuture<Void> busy = CompletableFuture
			.runAsync(() -> this.node.engine().declareEligible(Ineligibility.NOT_READY), Threads.EACH);
		gate.awaitArrival();
		CompletableFuture<Leadership> asked = CompletableFuture.supplyAsync(() -> {
			assertThat(this.elector.isLeader()).isTrue();
			assertThat(this.elector.fencingToken()).isPresent();
			Leadership leadership = this.elector.leadership().orElseThrow();
			leadership.check();
			workUnderWay(this.elector).end();
			return leadership;
		}, Threads.EACH);
		assertThat(asked).succeedsWithin(Duration.ofSeconds(20));
		// and turns to no by itself, with nobody there to say so
		this.clock.advance(LEASE);
		assertThat(asked.join().isCurrent()).isFalse();
		assertThat(busy).isNotDone();
		gate.open();
		assertThat(busy).succeedsWithin(Duration.ofSeconds(20));
	}

	@Test
	void aLeaderRenewsUntilItCannot() {
		lead();
		this.node.pass(Duration.ofMinutes(10), this.node::settle);
		assertThat(this.elector.isLeader()).isTrue();
		assertThat(this.node.count(Operation.RENEW)).isBetween(175L, 181L);
		this.elector.addListener(this.recorder);
		this.node.pass(Duration.ofSeconds(10));
		this.node.runCallbacks();
		assertThat(this.recorder.transitions()).last().asString().endsWith("STORE_UNREACHABLE");
	}

	@Test
	void renewalsThatFailAreRepeatedUntilOneSucceeds() {
		lead();
		this.troubled.before(TroubledStore.refusal(), Operation.RENEW);
		this.node.pass(Duration.ofSeconds(7), this.node::settle);
		assertThat(this.node.count(Operation.RENEW)).isBetween(4L, 15L);
		this.troubled.heal();
		this.node.pass(Duration.ofMinutes(1), this.node::settle);
		assertThat(this.elector.fencingToken().orElseThrow().value()).isEqualTo(1);
	}

	@Test
	void aLeaderWhoseTokenAFenceRejectsLeadsAgainWithAHigherOne() {
		ManualClock clock = new ManualClock();
		InMemoryLeaseStore store = ManualNode.storeOn(clock);
		ManualNode leading = new ManualNode("a", clock, store);
		ManualNode standby = new ManualNode("b", clock, store);
		DefaultLeaderElector leader = leading.engine().elector("reports", ManualNode.SETTINGS);
		DefaultLeaderElector other = standby.engine().elector("reports", ManualNode.SETTINGS);
		leading.engine().start();
		leading.settle();
		standby.engine().start();
		standby.settle();
		Leadership former = leader.leadership().orElseThrow();
		FencingToken rejected = former.token();
		FencingToken highest = new FencingToken("reports", rejected.value() + 1_000);
		former.tokenRejected(highest);
		for (int i = 0; i < 3; i++) {
			standby.settle();
			leading.settle();
		}
		assertThat(other.isLeader()).isFalse();
		assertThat(leader.fencingToken().orElseThrow()).isGreaterThan(highest);
		assertThat(leader.status().transitions()).extracting(Transition::reason)
			.containsExactly(Optional.empty(), Optional.of(LossReason.TOKEN_REJECTED), Optional.empty());
		former.tokenRejected(highest);
		leading.settle();
		assertThat(leader.status().transitions()).as("a rejection of a former token is history").hasSize(3);
	}

	@Test
	void aFenceThatIsAheadIsReportedUntilAHigherTokenIsAcquired() {
		lead();
		FencingToken rejected = this.elector.fencingToken().orElseThrow();
		FencingToken highest = new FencingToken(rejected.election(), rejected.value() + 1_000);
		this.troubled.before(TroubledStore.refusal(), Operation.ACQUIRE);
		this.elector.leadership().orElseThrow().tokenRejected(highest);
		this.node.settle();
		assertThat(this.elector.status().fenceAhead()).contains(highest);
		this.troubled.heal();
		this.node.pass(Duration.ofSeconds(10), this.node::settle);
		assertThat(this.elector.fencingToken().orElseThrow()).isGreaterThan(highest);
		assertThat(this.elector.status().fenceAhead()).isEmpty();
	}

	@Test
	void aTokenThatNoLeadershipShouldExceedIsReportedAndNotAdopted() {
		lead();
		FencingToken rejected = this.elector.fencingToken().orElseThrow();
		FencingToken bogus = new FencingToken(rejected.election(), Long.MAX_VALUE);
		this.elector.leadership().orElseThrow().tokenRejected(bogus);
		this.node.settle();
		assertThat(this.elector.fencingToken()).contains(rejected);
		assertThat(this.elector.status().fenceAhead()).contains(bogus);
		long renewals = this.node.count(Operation.RENEW);
		this.elector.leadership().orElseThrow().tokenRejected(bogus);
		this.node.settle();
		assertThat(this.node.count(Operation.RENEW)).as("asked once for each report").isEqualTo(renewals);
		this.elector.stepDown();
		this.node.pass(Duration.ofSeconds(30), this.node::settle);
		assertThat(this.elector.fencingToken().orElseThrow().value()).isBetween(rejected.value() + 1,
				rejected.value() + 1_000_000_000L);
		assertThat(this.elector.status().fenceAhead()).isEmpty();
	}

	@Test
	void aReleaseIsRepeatedWhileTheLeaseLastsAndNoLonger() {
		lead();
		this.troubled.before(TroubledStore.refusal(), Operation.RELEASE);
		CompletableFuture<Boolean> released = this.elector.stepDown(Duration.ofHours(1));
		this.node.settle();
		this.node.pass(Duration.ofMillis(7_500), this.node::settle);
		assertThat(released).isNotDone();
		assertThat(this.elector.status().state()).isEqualTo(ElectionState.DRAINING);
		this.node.pass(Duration.ofMillis(4_000), this.node::settle);
		assertThat(released).isCompletedWithValue(false);
		long releases = this.node.count(Operation.RELEASE);
		this.node.pass(Duration.ofMinutes(1), this.node::settle);
		assertThat(this.node.count(Operation.RELEASE)).isEqualTo(releases);
	}

	@Test
	void aSuspendedMachineNoticesByItsWallClockAndSaysSo() {
		this.elector.addListener(this.recorder);
		lead();
		this.clock.setWall(this.clock.wallMillis() + 3_600_000);
		assertThat(this.elector.isLeader()).isFalse();
		assertThat(this.elector.getCurrentLeader()).isEmpty();
		assertThat(this.elector.status().state()).isEqualTo(ElectionState.FOLLOWER);
		assertThat(this.elector.status().remainingValidity()).isZero();
		this.node.pass(Duration.ofSeconds(4), this.node::settle);
		assertThat(this.recorder.transitions()).anyMatch((transition) -> transition.endsWith("EXPIRED"));
		assertThat(this.node.count(Operation.RENEW)).isZero();
	}

	@Test
	void anAlarmThatRingsThoughItWasCancelledDoesNotMultiply() {
		lead();
		for (int i = 0; i < 20; i++) {
			ManualTimer armed = this.node.timers().get(0);
			// the timer's thread waits for the lock when an event moves the timer
			this.elector.attempt();
			this.elector.stepDown(Duration.ZERO);
			this.node.settle();
			armed.ring();
			this.node.settle();
		}
		assertThat(this.node.timers()).hasSize(1);
		this.node.pass(Duration.ofMinutes(1), this.node::settle);
		assertThat(this.node.timers()).hasSize(1);
	}

	@Test
	void aNodeThatStepsDownNoLongerNamesItself() {
		lead();
		Work work = workUnderWay(this.elector);
		this.elector.stepDown(Duration.ofHours(1));
		assertThat(this.elector.getCurrentLeader()).isEmpty();
		assertThat(this.elector.status().leader()).isEmpty();
		work.end();
		this.node.settle();
		assertThat(this.elector.getCurrentLeader()).isEmpty();
	}

	@Test
	void aNodeThatIsRefusedByTheRestOfItsOwnLeaseDoesNotNameItself() {
		ElectionSettings impatient = ElectionSettings.builder().drainTimeout(Duration.ofSeconds(1)).build();
		DefaultLeaderElector invoices = this.node.engine().elector("invoices", impatient);
		lead();
		workUnderWay(invoices);
		invoices.stepDown(Duration.ZERO);
		this.node.pass(Duration.ofSeconds(2), this.node::settle);
		assertThat(invoices.isLeader()).isFalse();
		assertThat(this.node.count(Operation.ACQUIRE)).isGreaterThan(1);
		assertThat(invoices.getCurrentLeader()).isEmpty();
		this.node.pass(LEASE, this.node::settle);
		assertThat(invoices.isLeader()).isTrue();
	}

	@Test
	void whoLedUntilItsLeaseEndedIsForgotten() {
		ManualNode other = new ManualNode("b", this.clock, this.store);
		DefaultLeaderElector rival = other.engine().elector("reports", ManualNode.SETTINGS);
		other.engine().start();
		other.settle();
		this.node.engine().start();
		this.node.settle();
		assertThat(this.elector.getCurrentLeader()).contains(new Leader("b", rival.fencingToken().orElseThrow()));
		// nobody answers any more
		this.node.pass(LEASE.plus(ManualNode.SETTINGS.callTimeout()));
		assertThat(this.elector.getCurrentLeader()).isEmpty();
	}

	@Test
	void aLeaseThatWasTakenAwayEndsAtTheNextRenewalAndIsNotGivenBack() {
		this.elector.addListener(this.recorder);
		lead();
		this.store.evict("reports");
		assertThat(this.elector.isLeader()).isTrue();
		this.node.pass(Duration.ofMillis(3_334));
		this.node.call().answer();
		assertThat(this.elector.isLeader()).isFalse();
		this.node.settle();
		assertThat(this.recorder.transitions()).element(1).asString().endsWith("STOLEN");
		assertThat(this.node.count(Operation.RELEASE)).isZero();
	}

	@Test
	void workThatEntersJustWhenAStepDownBeginsIsWaitedFor() {
		this.elector.addListener(this.recorder);
		lead();
		this.clock.beforeNextReading(() -> this.elector.stepDown(Duration.ofHours(1)));
		Work work = workUnderWay(this.elector);
		this.node.settle();
		assertThat(this.recorder.transitions()).hasSize(1);
		assertThat(this.node.count(Operation.RELEASE)).isZero();
		work.end();
		this.node.settle();
		assertThat(this.recorder.transitions()).hasSize(2);
		assertThat(this.node.count(Operation.RELEASE)).isEqualTo(1);
	}

	@Test
	void aListenerThatReturnsAfterTheDrainTimeoutChangesNothing() {
		this.elector.addListener(this.recorder);
		lead();
		CompletableFuture<Boolean> released = this.elector.stepDown(Duration.ofHours(1));
		// its callbacks do not run
		this.node.pass(ManualNode.SETTINGS.drainTimeout(),
				() -> this.node.openCall().ifPresent(ManualNode.ManualCall::answer));
		assertThat(this.elector.status().state()).isEqualTo(ElectionState.HOLDING_OFF);
		this.node.settle();
		assertThat(released).isCompletedWithValue(false);
		assertThat(this.recorder.transitions()).hasSize(2);
		assertThat(this.node.count(Operation.RELEASE)).isZero();
		long asked = this.node.count(Operation.ACQUIRE);
		this.node.pass(Duration.ofMinutes(59), this.node::settle);
		assertThat(this.node.count(Operation.ACQUIRE)).isEqualTo(asked);
	}

	@Test
	void steppingDownAfterTheEndIsTooLateToGiveAnythingUp() {
		this.elector.addListener(this.recorder);
		lead();
		this.clock.advance(LEASE);
		CompletableFuture<Boolean> released = this.elector.stepDown();
		assertThat(this.elector.transferTo("b")).isCompletedExceptionally();
		this.node.settle();
		assertThat(released).isCompletedWithValue(false);
		assertThat(this.recorder.transitions()).element(1).asString().endsWith("EXPIRED");
		// and yet, another node shall lead
		this.node.pass(LEASE.minusMillis(1), this.node::settle);
		assertThat(this.elector.isLeader()).isFalse();
		this.node.pass(Duration.ofMillis(1), this.node::settle);
		assertThat(this.elector.isLeader()).isTrue();
	}

	@Test
	void aTransferIsRefusedOnceTheLeadershipHasLapsed() {
		lead();
		CompletableFuture<Boolean> transferred = this.elector.transferTo("b");
		Runnable candidates = this.node.call().perform();
		this.clock.advance(LEASE);
		candidates.run();
		this.node.settle();
		assertThat(transferred).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(NotLeaderException.class);
		assertThat(this.node.count(Operation.TRANSFER)).isZero();
	}

	@Test
	void aHoldOffMayLastForEver() {
		lead();
		CompletableFuture<Boolean> released = this.elector.stepDown(ChronoUnit.FOREVER.getDuration());
		this.node.settle();
		assertThat(released).isCompletedWithValue(true);
		long asked = this.node.count(Operation.ACQUIRE);
		this.node.pass(Duration.ofDays(1000), this.node::settle);
		assertThat(this.node.count(Operation.ACQUIRE)).isEqualTo(asked);
		this.elector.resume();
		this.node.settle();
		assertThat(this.elector.isLeader()).isTrue();
		this.elector.stepDown(Duration.ofNanos(Long.MAX_VALUE));
		this.node.settle();
		assertThat(this.elector.isLeader()).isFalse();
	}

	@Test
	void theLongestSettingsOverflowNothing() {
		Duration year = Duration.ofDays(365);
		ElectionSettings longest = ElectionSettings.builder()
			.leaseDuration(year)
			.drainTimeout(year)
			.coldStartWait(year)
			.transferGrace(year)
			.build();
		ManualNode slow = new ManualNode("slow", this.clock, this.store);
		DefaultLeaderElector yearly = slow.engine().elector("yearly", longest);
		slow.engine().start();
		slow.settle();
		slow.pass(Duration.ofDays(364), slow::settle);
		assertThat(yearly.isLeader()).isFalse();
		slow.pass(Duration.ofDays(2), slow::settle);
		assertThat(yearly.isLeader()).isTrue();
		slow.pass(Duration.ofDays(1000), slow::settle);
		assertThat(yearly.isLeader()).isTrue();
		workUnderWay(yearly);
		CompletableFuture<Boolean> released = yearly.stepDown();
		slow.pass(Duration.ofDays(364), slow::settle);
		assertThat(released).isNotDone();
		slow.pass(Duration.ofDays(1), slow::settle);
		assertThat(released).isCompletedWithValue(false);
	}

	@Test
	void manyTransfersThatHangDoNotKeepTheOthersFromBeingRenewed() {
		List<DefaultLeaderElector> leaving = electors("leaving", 12);
		lead();
		ManualNode other = new ManualNode("b", this.clock, this.store);
		leaving.forEach((election) -> other.engine().elector(election.election(), ManualNode.SETTINGS));
		other.engine().start();
		other.settle();
		leaving.forEach((election) -> election.transferTo("b"));
		settleExcept(Operation.TRANSFER);
		this.node.pass(Duration.ofSeconds(30), () -> settleExcept(Operation.TRANSFER));
		assertThat(this.elector.isLeader()).isTrue();
		assertThat(this.elector.status().lastTransition().orElseThrow().token())
			.isEqualTo(this.elector.fencingToken().orElseThrow());
		assertThat(this.elector.fencingToken().orElseThrow().value()).isEqualTo(1);
	}

	@Test
	void giveUpsThatFailAtOnceAreRepeatedAtLeisure() {
		List<DefaultLeaderElector> leaving = electors("leaving", 3);
		lead();
		ManualNode other = new ManualNode("b", this.clock, this.store);
		leaving.forEach((election) -> other.engine().elector(election.election(), ManualNode.SETTINGS));
		other.engine().start();
		other.settle();
		this.troubled.before(TroubledStore.refusal(), Operation.TRANSFER, Operation.RELEASE);
		leaving.forEach((election) -> election.transferTo("b"));
		this.elector.stepDown();
		this.node.settle();
		this.node.pass(Duration.ofSeconds(5), this.node::settle);
		assertThat(this.node.count(Operation.TRANSFER) + this.node.count(Operation.RELEASE)).isBetween(10L, 60L);
	}

	@Test
	void aStopTakesNoLongerThanItSays() {
		lead();
		Work work = workUnderWay(this.elector);
		Duration longest = this.node.engine().longestStop();
		long before = this.clock.nanos();
		CompletableFuture<Void> stopped = this.node.engine().stop();
		// the lease is renewed just before the drain would time out: then the work ends,
		// and the store hangs
		for (int i = 0; i < 100 && this.node.count(Operation.RENEW) < 6; i++) {
			this.node.pass(Duration.ofNanos(1), this.node::settle);
			this.node.nextTimerIn().filter((wait) -> wait.toMillis() > 1).ifPresent(this.clock::advance);
		}
		work.end();
		this.node.runCallbacks();
		for (int i = 0; i < 10_000 && !stopped.isDone(); i++) {
			this.node.pass(Duration.ofMillis(10), this.node::runCallbacks);
		}
		assertThat(stopped).isDone();
		assertThat(Duration.ofNanos(this.clock.nanos() - before)).isLessThan(longest)
			.isGreaterThan(ManualNode.SETTINGS.leaseDuration().multipliedBy(3));
	}

	@Test
	void aStopDoesNotWaitForQuestions() {
		lead();
		List<CompletableFuture<List<String>>> questions = IntStream.range(0, 100)
			.mapToObj((i) -> this.elector.candidates())
			.toList();
		CompletableFuture<Void> stopped = this.node.engine().stop();
		this.node.pass(this.node.engine().longestStop(), this.node::runCallbacks);
		assertThat(stopped).isDone();
		assertThat(questions).allMatch(CompletableFuture::isCompletedExceptionally);
	}

	private void lead() {
		this.node.engine().start();
		this.node.settle();
		assertThat(this.elector.isLeader()).isTrue();
	}

	private List<DefaultLeaderElector> electors(String name, int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> this.node.engine().elector(name + "-" + i, ManualNode.SETTINGS))
			.toList();
	}

	/** Answers whatever is asked, but for one operation that hangs. */
	private void settleExcept(Operation hanging) {
		this.node.runCallbacks();
		while (this.node.openCall().filter((call) -> call.operation() != hanging).isPresent()) {
			this.node.call().answer();
			this.node.runCallbacks();
		}
	}

}
