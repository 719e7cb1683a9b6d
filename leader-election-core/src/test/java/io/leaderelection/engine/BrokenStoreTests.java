package io.leaderelection.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.Recorder;
import io.leaderelection.TroubledStore;
import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stores that do not keep the contract: they may cost leadership, never the engine.
 */
@Timeout(60)
class BrokenStoreTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final ManualClock clock = new ManualClock();

	private final InMemoryLeaseStore store = ManualNode.storeOn(this.clock);

	@Test
	void answersCannotBeMixedUpByAStoreThatSortsItsQuestions() {
		ManualNode node = started(new TroubledStore(this.store) {

			@Override
			public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
				candidacies.sort(Comparator.comparing(AcquireRequest::election));
				return super.acquire(candidacies);
			}

		}, "zebras", "apples");
		node.settle();
		assertThat(node.engine().electors()).noneMatch(DefaultLeaderElector::isLeader);
		assertThat(node.engine().electors().get(0).status().lastError())
			.hasValueSatisfying((error) -> assertThat(error).contains("UnsupportedOperationException"));
	}

	@Test
	void aStoreThatGivesTheWrongNumberOfAnswersIsNotBelieved() {
		Broken broken = new Broken(this.store);
		ManualNode node = started(broken, "one", "two");
		Granted granted = new Granted(1, ManualNode.SETTINGS.leaseDuration());
		broken.answers = List.of(granted);
		node.settle();
		assertThat(node.engine().electors()).noneMatch(DefaultLeaderElector::isLeader);
		assertThat(node.engine().electors().get(0).status().lastError())
			.hasValueSatisfying((error) -> assertThat(error).contains("The store gave 1 answers to 2 questions"));
		broken.answers = List.of(granted, granted, granted);
		node.pass(SECOND, node::settle);
		assertThat(node.engine().electors()).noneMatch(DefaultLeaderElector::isLeader);
		broken.answers = null;
		node.pass(Duration.ofSeconds(5), node::settle);
		assertThat(node.engine().electors()).allMatch(DefaultLeaderElector::isLeader);
	}

	@Test
	void aRenewalWithTheWrongNumberOfAnswersIsNotBelieved() {
		ManualNode node = started(new TroubledStore(this.store) {

			@Override
			public List<RenewResult> renew(List<RenewRequest> renewals) {
				List<RenewResult> results = new ArrayList<>(super.renew(renewals));
				results.add(results.get(0));
				return results;
			}

		}, "reports");
		Recorder recorder = new Recorder();
		node.engine().electors().get(0).addListener(recorder);
		node.settle();
		node.pass(Duration.ofMillis(9_400), node::settle);
		assertThat(recorder.transitions()).element(1).isEqualTo("lost 1 STORE_UNREACHABLE");
		assertThat(node.engine().electors().get(0).status().lastError())
			.hasValueSatisfying((error) -> assertThat(error).contains("The store gave 2 answers to 1 questions"));
	}

	@Test
	void aNullAmongTheAnswersIsAFailureThatIsRiddenOut() {
		Broken broken = new Broken(this.store);
		ManualNode node = started(broken, "one", "two", "three");
		broken.answers = Arrays.asList(null, null, null);
		node.settle();
		broken.answers = null;
		node.pass(SECOND, node::settle);
		assertThat(node.engine().electors()).allMatch(DefaultLeaderElector::isLeader);
	}

	@Test
	void anAnswerThatCannotBeUnderstoodIsAFailureThatIsRiddenOut() {
		Broken broken = new Broken(this.store);
		ManualNode node = started(broken, "one", "two", "three");
		Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
		Held endless = new Held(Optional.of("b"), 7, forEver, forEver);
		broken.answers = List.of(endless, endless, endless);
		node.settle();
		assertThat(node.engine().electors().get(0).status().failuresInARow()).isPositive();
		broken.answers = null;
		node.pass(SECOND, node::settle);
		assertThat(node.engine().electors()).allMatch(DefaultLeaderElector::isLeader);
	}

	@Test
	void aReadThatReturnsNothingAtAllFailsTheQuestion() {
		ManualNode node = started(new TroubledStore(this.store) {

			@Override
			public Optional<LeaseView> read(String election) {
				return null;
			}

		}, "reports");
		node.settle();
		CompletableFuture<List<String>> candidates = node.engine().electors().get(0).candidates();
		node.settle();
		assertThat(candidates).isCompletedExceptionally();
	}

	@Test
	void aWatchThatReturnsNothingAtAllIsTriedAgain() {
		ManualNode node = started(new TroubledStore(this.store) {

			@Override
			public Optional<Watch> watch(WakeUps wakeUps) {
				return null;
			}

		}, "reports");
		node.settle();
		node.pass(Duration.ofSeconds(10), node::settle);
		assertThat(node.count(Operation.WATCH)).isBetween(4L, 7L);
		assertThat(node.engine().electors()).allMatch(DefaultLeaderElector::isLeader);
	}

	@Test
	void aTokenThatDoesNotRiseIsNotAskedForInALoop() {
		Broken broken = new Broken(this.store);
		ManualNode node = started(broken, "reports");
		broken.answers = List.of(new Granted(1, ManualNode.SETTINGS.leaseDuration()));
		node.settle();
		node.engine().electors().get(0).stepDown(Duration.ZERO);
		settleAtMost(node, 20);
		node.pass(SECOND, () -> settleAtMost(node, 5));
		assertThat(node.engine().electors()).noneMatch(DefaultLeaderElector::isLeader);
		assertThat(node.count(Operation.ACQUIRE)).isBetween(5L, 40L);
	}

	@Test
	void aGrantThatIsOverAtOnceIsNotAskedForInALoop() {
		Broken broken = new Broken(this.store);
		broken.answers = List.of(new Granted(1, Duration.ZERO));
		ManualNode node = started(broken, "reports");
		settleAtMost(node, 20);
		node.pass(SECOND, () -> settleAtMost(node, 5));
		assertThat(node.engine().electors()).noneMatch(DefaultLeaderElector::isLeader);
		assertThat(node.count(Operation.ACQUIRE)).isBetween(5L, 40L);
	}

	@Test
	void aRecordThatCannotBeWrittenAgainIsNotWrittenInALoop() {
		ManualNode node = started(new TroubledStore(this.store) {

			@Override
			public List<RenewResult> renew(List<RenewRequest> renewals) {
				return renewals.stream().<RenewResult>map((renewal) -> new RenewResult.Absent()).toList();
			}

		}, "reports");
		settleAtMost(node, 20);
		node.pass(Duration.ofSeconds(5), () -> settleAtMost(node, 5));
		assertThat(node.engine().electors()).allMatch(DefaultLeaderElector::isLeader);
		assertThat(node.count(Operation.RENEW)).isBetween(10L, 60L);
	}

	@Test
	void aRecordThatCannotBeCreatedIsNotCreatedInALoop() {
		Broken broken = new Broken(this.store);
		broken.answers = List.of(new AcquireResult.Absent());
		ManualNode node = started(broken, "reports");
		settleAtMost(node, 20);
		node.pass(SECOND, () -> settleAtMost(node, 5));
		assertThat(node.engine().electors()).noneMatch(DefaultLeaderElector::isLeader);
		assertThat(node.count(Operation.ACQUIRE)).isBetween(5L, 40L);
	}

	@Test
	void aStoreThatTakesNoCallsIsLeftForLater() {
		ManualNode node = started(this.store, "reports");
		DefaultLeaderElector elector = node.engine().electors().get(0);
		node.settle();
		node.exhaustThreads(true);
		node.pass(Duration.ofSeconds(5), node::settle);
		assertThat(elector.isLeader()).isTrue();
		assertThat(elector.status().lastError())
			.hasValueSatisfying((error) -> assertThat(error).contains("unable to create native thread"));
		node.exhaustThreads(false);
		node.pass(Duration.ofSeconds(20), node::settle);
		assertThat(elector.isLeader()).isTrue();
		assertThat(elector.fencingToken().orElseThrow().value()).isEqualTo(1);
	}

	@Test
	void aStepDownWithoutAnyThreadForTheStoreIsRepeated() {
		ManualNode node = started(this.store, "reports");
		DefaultLeaderElector elector = node.engine().electors().get(0);
		node.settle();
		node.exhaustThreads(true);
		CompletableFuture<Boolean> released = elector.stepDown();
		node.pass(SECOND, node::settle);
		assertThat(released).isNotDone();
		node.exhaustThreads(false);
		node.pass(SECOND.multipliedBy(2), node::settle);
		assertThat(released).isCompletedWithValue(true);
	}

	@Test
	void troubleOfOneKindIsNotOverBecauseCallsOfAnotherSucceed() {
		TroubledStore troubled = new TroubledStore(this.store);
		ManualNode node = started(troubled, "led");
		node.settle();
		troubled.before(TroubledStore.refusal(), Operation.ACQUIRE);
		node.engine().elector("unled", ManualNode.SETTINGS);
		node.settle();
		node.pass(Duration.ofSeconds(60), node::settle);
		assertThat(node.engine().electors().get(0).isLeader()).isTrue();
		assertThat(node.count(Operation.RENEW)).isGreaterThan(10);
		assertThat(node.log()).containsExactly("store failed");
		troubled.heal();
		node.pass(Duration.ofSeconds(5), node::settle);
		assertThat(node.engine().electors()).allMatch(DefaultLeaderElector::isLeader);
		assertThat(node.log()).containsExactly("store failed", "store recovered");
	}

	@Test
	void troubleWithWhatNobodyNeedsAnyMoreIsOver() {
		TroubledStore troubled = new TroubledStore(this.store);
		ManualNode node = started(troubled, "led");
		node.settle();
		troubled.before(TroubledStore.refusal(), Operation.ACQUIRE, Operation.READ);
		DefaultLeaderElector unled = node.engine().elector("unled", ManualNode.SETTINGS);
		unled.candidates();
		node.settle();
		unled.pause();
		node.pass(Duration.ofSeconds(10), node::settle);
		assertThat(node.log()).containsExactly("store failed", "store recovered");
	}

	@Test
	void aLeaseThatCouldNotBeRenewedIsLostToTheStoreThoughOtherCallsSucceed() {
		TroubledStore troubled = new TroubledStore(this.store);
		ManualNode node = started(troubled, "reports");
		Recorder recorder = new Recorder();
		DefaultLeaderElector elector = node.engine().electors().get(0);
		elector.addListener(recorder);
		node.settle();
		troubled.before(TroubledStore.refusal(), Operation.RENEW);
		node.pass(Duration.ofMillis(9_410), () -> {
			node.settle();
			elector.candidates();
			node.settle();
		});
		assertThat(recorder.transitions()).element(1).asString().endsWith("STORE_UNREACHABLE");
	}

	@Test
	void aFailureOfOneCallIsTroubleThatTheNextEnds() {
		ManualNode node = started(this.store, "reports");
		node.settle();
		node.engine().electors().get(0).candidates();
		node.call().fail(new LeaseStoreException("connection refused"));
		assertThat(node.log()).containsExactly("store failed");
		node.pass(Duration.ofSeconds(4), node::settle);
		assertThat(node.log()).containsExactly("store failed", "store recovered");
	}

	@Test
	void aReadThatSucceedsDoesNotEndAnOutage() {
		TroubledStore readOnly = new TroubledStore(this.store).before(TroubledStore.rejection(), Operation.ACQUIRE,
				Operation.RENEW);
		ManualNode node = started(readOnly, "reports");
		DefaultLeaderElector elector = node.engine().electors().get(0);
		node.settle();
		node.pass(Duration.ofSeconds(30), () -> {
			node.settle();
			elector.candidates();
			node.settle();
		});
		assertThat(node.count(Operation.READ)).isGreaterThan(10);
		assertThat(elector.status().unansweredFor()).isEqualTo(Duration.ofSeconds(30));
		assertThat(elector.status().failuresInARow()).isGreaterThan(10);
		readOnly.heal();
		node.pass(Duration.ofSeconds(10), node::settle);
		assertThat(elector.status().unansweredFor()).isZero();
		assertThat(elector.status().failuresInARow()).isZero();
	}

	@Test
	void aTakeoverThatIsBlockedForALeaseIsReportedUntilItIsNot() {
		Broken broken = new Broken(this.store);
		ManualNode node = started(broken, "reports");
		DefaultLeaderElector elector = node.engine().electors().get(0);
		Duration lease = ManualNode.SETTINGS.leaseDuration();
		broken.answers = List
			.of(new Held(Optional.empty(), 7, Duration.ofMillis(50), lease, Optional.of("session 7 is idle")));
		node.settle();
		node.pass(lease.minusMillis(200), node::settle);
		assertThat(elector.status().blockedBy()).isEmpty();
		assertThat(node.log()).isEmpty();
		node.pass(Duration.ofSeconds(20), node::settle);
		String error = "The takeover of 'reports' is blocked: session 7 is idle";
		assertThat(elector.status().blockedBy()).contains("session 7 is idle");
		assertThat(elector.status().lastError()).contains(error);
		assertThat(node.errors()).containsExactly(error);
		broken.answers = null;
		node.pass(Duration.ofSeconds(30), node::settle);
		assertThat(elector.isLeader()).isTrue();
		assertThat(elector.status().blockedBy()).isEmpty();
		assertThat(elector.status().lastError()).isEmpty();
		assertThat(node.log()).containsExactly("takeover blocked", "takeover of reports unblocked");
	}

	@Test
	void aTransactionThatEndsWithinALeaseBlocksNoTakeover() {
		Broken broken = new Broken(this.store);
		ManualNode node = started(broken, "reports");
		DefaultLeaderElector elector = node.engine().electors().get(0);
		Duration lease = ManualNode.SETTINGS.leaseDuration();
		Held blocked = new Held(Optional.empty(), 7, Duration.ofMillis(50), lease, Optional.of("session 7 is idle"));
		Held led = new Held(Optional.of("b"), 7, Duration.ofMillis(50), lease);
		for (int i = 0; i < 5; i++) {
			broken.answers = List.of(blocked);
			node.settle();
			node.pass(Duration.ofSeconds(7), node::settle);
			broken.answers = List.of(led);
			node.pass(SECOND, node::settle);
		}
		assertThat(elector.status().blockedBy()).isEmpty();
		assertThat(node.log()).isEmpty();
	}

	@Test
	void aReadThatFailsBeginsNoOutage() {
		ManualNode node = started(new TroubledStore(this.store).before(TroubledStore.refusal(), Operation.READ),
				"reports");
		DefaultLeaderElector elector = node.engine().electors().get(0);
		node.settle();
		elector.candidates();
		node.settle();
		assertThat(elector.status().lastError()).contains("The lease store does not answer 'read': connection refused");
		assertThat(elector.status().failuresInARow()).isZero();
		assertThat(elector.status().unansweredFor()).isZero();
	}

	@Test
	void aLeaseAcquiredAnewEndsTheOutageOfTheOneBefore() {
		TroubledStore troubled = new TroubledStore(this.store);
		ManualNode node = started(troubled, "reports");
		DefaultLeaderElector elector = node.engine().electors().get(0);
		node.settle();
		troubled.before(TroubledStore.refusal());
		node.pass(Duration.ofSeconds(30), node::settle);
		assertThat(elector.isLeader()).isFalse();
		troubled.heal();
		while (!elector.isLeader()) {
			node.pass(Duration.ofMillis(10), node::settle);
		}
		assertThat(elector.status().failuresInARow()).isZero();
		assertThat(elector.status().unansweredFor()).isZero();
	}

	@Test
	void renewalsThatSucceedDoNotEndAnOutageForCandidates() {
		TroubledStore troubled = new TroubledStore(this.store);
		ManualNode node = started(troubled, "led");
		node.settle();
		troubled.before(TroubledStore.rejection(), Operation.ACQUIRE);
		DefaultLeaderElector unled = node.engine().elector("unled", ManualNode.SETTINGS);
		node.settle();
		node.pass(Duration.ofSeconds(30), node::settle);
		assertThat(node.count(Operation.RENEW)).isGreaterThan(5);
		assertThat(unled.status().unansweredFor()).isEqualTo(Duration.ofSeconds(30));
	}

	@Test
	void aStoreThatRejectsCallsIsToldFromOneThatDoesNotAnswer() {
		TroubledStore troubled = new TroubledStore(this.store).before(TroubledStore.refusal(), Operation.ACQUIRE);
		ManualNode node = started(troubled, "reports");
		DefaultLeaderElector elector = node.engine().electors().get(0);
		node.settle();
		assertThat(elector.status().lastError())
			.contains("The lease store does not answer 'acquire': connection refused");
		troubled.before(TroubledStore.rejection(), Operation.ACQUIRE);
		node.pass(Duration.ofSeconds(10), node::settle);
		String rejected = "The lease store rejects 'acquire': Could not write the lease "
				+ "(java.lang.IllegalStateException: read-only)";
		assertThat(elector.status().lastError()).contains(rejected);
		troubled.before(TroubledStore.refusal(), Operation.ACQUIRE);
		node.pass(Duration.ofSeconds(10), node::settle);
		assertThat(node.errors()).containsExactly("The lease store does not answer 'acquire': connection refused",
				rejected);
	}

	private ManualNode started(LeaseStore store, String... elections) {
		ManualNode node = new ManualNode("a", this.clock, store);
		for (String election : elections) {
			node.engine().elector(election, ManualNode.SETTINGS);
		}
		node.engine().start();
		return node;
	}

	private static void settleAtMost(ManualNode node, int calls) {
		for (int i = 0; i < calls && node.openCall().isPresent(); i++) {
			node.call().answer();
			node.runCallbacks();
		}
	}

	/**
	 * Says what it is told to say.
	 */
	private static final class Broken extends TroubledStore {

		private List<AcquireResult> answers;

		private Broken(LeaseStore store) {
			super(store);
		}

		@Override
		public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
			return (this.answers != null) ? new ArrayList<>(this.answers) : super.acquire(candidacies);
		}

	}

}
