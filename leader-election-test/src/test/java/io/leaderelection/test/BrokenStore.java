package io.leaderelection.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Absent;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.memory.InMemoryLeaseStore;

import static io.leaderelection.test.Breakages.acquire;
import static io.leaderelection.test.Breakages.acquiring;
import static io.leaderelection.test.Breakages.backwards;
import static io.leaderelection.test.Breakages.failingForStrangers;
import static io.leaderelection.test.Breakages.isHeldBy;
import static io.leaderelection.test.Breakages.losingAllForOne;
import static io.leaderelection.test.Breakages.queueing;
import static io.leaderelection.test.Breakages.reading;
import static io.leaderelection.test.Breakages.recordedOwner;
import static io.leaderelection.test.Breakages.recordedToken;
import static io.leaderelection.test.Breakages.refusing;
import static io.leaderelection.test.Breakages.releasing;
import static io.leaderelection.test.Breakages.renew;
import static io.leaderelection.test.Breakages.renewing;
import static io.leaderelection.test.Breakages.shouting;
import static io.leaderelection.test.Breakages.transferring;
import static io.leaderelection.test.Breakages.watching;
import static io.leaderelection.test.Breakages.watchingOnce;
import static io.leaderelection.test.Breakages.withDuration;
import static io.leaderelection.test.Breakages.withFloor;
import static io.leaderelection.test.Breakages.withToken;
import static io.leaderelection.test.Breakages.writing;

/**
 * Mistakes that a backend may make, each with the tests of the contract that find it.
 */
enum BrokenStore {

	GRANTS_NOTHING(acquiring((sound, asked) -> new Held(Optional.empty(), 0, asked.duration(), asked.duration())),
			"aFreeLeaseIsGranted"),

	GRANTS_A_HELD_LEASE(acquiring((sound, asked) -> {
		AcquireResult answer = acquire(sound, asked);
		if (answer instanceof Held) {
			sound.evict(asked.election());
			return acquire(sound, asked);
		}
		return answer;
	}), "aHeldLeaseIsRefusedAndItsHolderNamed", "anotherRunOfTheSameNodeIsRefused",
			"refusedRequestsLeaveTheHolderAlone", "ofManyFirstRequestsOneIsGranted", "ofManyContendersOneLeadsAtATime",
			"ofManyContendersOneFollowsAnEndedLease", "anAbandonedLeaseIsGrantedToAnotherWhenItsTimeIsOver",
			"aHostileRecordOfAFreeLeaseMakesNoTwoHoldersAndNoLowerToken",
			"aHostileRecordOfANewElectionMakesNoTwoHolders", "aRestartNeitherDoublesALeaseNorLowersATokenAndStoresGoOn",
			"aTransferredLeaseIsGrantedToItsTargetOnly"),

	LOOKS_BEFORE_IT_GRANTS(acquiring((sound, asked) -> {
		boolean free = sound.read(asked.election()).flatMap(LeaseView::holder).isEmpty();
		LockSupport.parkNanos(500_000);
		if (free) {
			sound.evict(asked.election());
		}
		return acquire(sound, asked);
	}), "ofManyFirstRequestsOneIsGranted", "ofManyContendersOneLeadsAtATime"),

	GRANTS_A_TOKEN_ANEW_WHEN_ASKED_AGAIN(acquiring((sound, asked) -> {
		if (isHeldBy(sound, asked.owner(), asked.election())) {
			sound.evict(asked.election());
		}
		return acquire(sound, asked);
	}), "aRequestWhoseAnswerWasLostIsGrantedTheSameTokenWhenRepeated",
			"requestsOfOneCandidateAtTheSameTimeAreGrantedOneToken"),

	IGNORES_THE_FLOOR(acquiring((sound, asked) -> acquire(sound, withFloor(asked, 0))),
			"aTokenExceedsWhatItsCandidateHasSeen", "theFirstTokenExceedsWhatItsCandidateHasSeen",
			"aFloorBeyondTheTimeOfDayIsExceeded", "aCandidateIsRefusedItsOwnLeaseIfThatLeadershipHasEnded",
			"anEndedLeadershipOfOnesOwnIsWaitedOut", "afterALossALeaseIsGrantedAboveTheFloor"),

	COUNTS_IN_DOUBLES(acquiring((sound, asked) -> {
		AcquireResult answer = acquire(sound, asked);
		return (answer instanceof Granted granted) ? new Granted((long) (double) granted.token(), granted.validFor())
				: answer;
	}), "aFloorBeyondWhatADoubleCountsIsExceededOrRefused"),

	CREATES_WITHOUT_LEAVE(
			acquiring((sound, asked) -> acquire(sound,
					new AcquireRequest(asked.election(), asked.owner(), asked.duration(), asked.tokenFloor(), true))),
			"withoutARecordNothingIsGrantedUnlessAllowed", "afterALossACandidateIsToldThatThereIsNoRecord"),

	TAKES_A_FREE_LEASE_FOR_A_MISSING_ONE(acquiring((sound, asked) -> {
		boolean free = sound.read(asked.election()).flatMap(LeaseView::holder).isEmpty();
		return (free && !asked.createIfAbsent()) ? new AcquireResult.Absent() : acquire(sound, asked);
	}), "aReleasedLeaseIsGrantedWithoutLeaveToCreateIt"),

	NAMES_NO_HOLDER(refusing((held) -> new Held(Optional.empty(), held.token(), held.remaining(), held.duration())),
			"aHeldLeaseIsRefusedAndItsHolderNamed"),

	TELLS_NO_REMAINING_TIME(refusing((held) -> new Held(held.nodeId(), held.token(), Duration.ZERO, held.duration())),
			"aRefusedCandidateIsToldTheRemainingTime"),

	TELLS_THE_DURATION_AS_REMAINING(
			refusing((held) -> new Held(held.nodeId(), held.token(), held.duration(), held.duration())),
			"theRemainingTimeShrinks", "aRenewalMovesTheEndThatCandidatesAreTold"),

	TELLS_TOO_SHORT_A_TIME(
			refusing((held) -> new Held(held.nodeId(), held.token(), held.remaining().dividedBy(2), held.duration())),
			"aCandidateThatWaitsAsLongAsItWasToldIsGranted"),

	PROMISES_MORE_THAN_IT_KEEPS(acquiring((sound, asked) -> {
		AcquireResult answer = acquire(sound, withDuration(asked, asked.duration().dividedBy(2)));
		return (answer instanceof Granted granted) ? new Granted(granted.token(), asked.duration()) : answer;
	}), "anAbandonedLeaseIsGrantedToAnotherWhenItsTimeIsOver", "ofManyContendersOneFollowsAnEndedLease"),

	NEVER_ENDS_A_LEASE(acquiring((sound, asked) -> acquire(sound, withDuration(asked, Duration.ofHours(1)))),
			"anAbandonedLeaseIsGrantedToAnotherWhenItsTimeIsOver", "aHeldLeaseShowsItsHolderTokenAndRemainingTime"),

	KEEPS_A_QUEUE_OF_SILENT_CANDIDATES(queueing(), "aCandidateThatStopsAskingHoldsNobodyUp"),

	FORGETS_WHO_STANDS_BY(reading(
			(sound, view) -> Optional.of(new LeaseView(view.holder(), view.token(), view.remaining(), List.of()))),
			"refusedCandidatesStandBy", "aCandidateThatLeadsStandsByNoLonger"),

	READS_A_MISSING_RECORD_AS_FREE((sound) -> new ForwardingLeaseStore(sound) {

		@Override
		public Optional<LeaseView> read(String election) {
			return super.read(election)
				.or(() -> Optional.of(new LeaseView(Optional.empty(), 0, Duration.ZERO, List.of())));
		}

	}, "anElectionWithoutARecordReadsAsEmpty"),

	PROLONGS_WHAT_IT_READS((sound) -> new ForwardingLeaseStore(sound) {

		@Override
		public Optional<LeaseView> read(String election) {
			Optional<LeaseView> view = super.read(election);
			view.flatMap(LeaseView::holder)
				.ifPresent((owner) -> super.renewOne(new RenewRequest(
						new Lease(election, owner, view.orElseThrow().token(), Duration.ofHours(1)), false)));
			return super.read(election);
		}

	}, "readingChangesNothing"),

	RENEWS_WITH_ANY_TOKEN(renewing((sound, asked) -> renew(sound, recordedToken(sound, asked.lease()), asked)),
			"aLateRenewalOfAnEarlierLeadershipOfTheSameNodeIsLost",
			"aRecordOfAnEarlierLeadershipIsOverwrittenOnlyIfAllowed"),

	RENEWS_FOR_ANYBODY(renewing((sound, asked) -> renew(sound, recordedOwner(sound, asked.lease()), asked)),
			"aLeaseOfAnotherIsNotRenewed", "aLeaseOfAnotherRunOfTheSameNodeIsNotRenewed"),

	RENEWS_WHAT_HAS_ENDED(renewing((sound, asked) -> {
		RenewResult answer = renew(sound, asked.lease(), asked);
		boolean free = sound.read(asked.lease().election()).flatMap(LeaseView::holder).isEmpty();
		return (answer instanceof Lost && free) ? new Renewed(asked.lease().duration()) : answer;
	}), "aReleasedLeaseIsNotRenewed", "aTransferredLeaseIsNotRenewed", "anEndedLeaseIsNeitherRenewedNorGivenUp"),

	RENEWS_NOTHING(renewing((sound, asked) -> new Lost()), "aHeldLeaseIsRenewed"),

	RENEWS_WITHOUT_PROLONGING(
			renewing((sound, asked) -> isHeldBy(sound, asked.lease().owner(), asked.lease().election())
					? new Renewed(asked.lease().duration()) : new Lost()),
			"aRenewedLeaseOutlastsItsFirstTime", "aRenewalMovesTheEndThatCandidatesAreTold"),

	RENEWS_ONCE(renewing((sound, asked) -> {
		RenewResult answer = renew(sound, asked.lease(), asked);
		sound.evict(asked.lease().election());
		return answer;
	}), "aRepeatedRenewalIsHarmless"),

	RESTORES_WITHOUT_LEAVE(
			renewing((sound, asked) -> sound.renew(List.of(new RenewRequest(asked.lease(), true))).get(0)),
			"aRenewalWithoutARecordWritesItOnlyIfAllowed", "afterALossARenewalWritesNothingUnlessAllowed",
			"afterALossAHolderOverwritesAnEarlierLeadershipOnlyIfAllowed"),

	RESTORES_NOTHING(renewing((sound, asked) -> {
		RenewResult answer = renew(sound, asked.lease(), new RenewRequest(asked.lease(), false));
		return (answer instanceof Absent) ? new Lost() : answer;
	}), "afterALossAHolderRestoresItsRecordWithItsToken", "afterALossManyRecordsAreRestoredTogether"),

	RESTORES_OVER_ANYTHING(renewing((sound, asked) -> {
		if (asked.createIfAbsent()) {
			sound.clear();
		}
		return renew(sound, asked.lease(), asked);
	}), "aLeaseThatHasPassedToAnotherIsNotRenewed", "afterALossAHolderDoesNotOverwriteALaterLeadership",
			"aLeaseThatAStrangerHasTakenIsLost"),

	RESTORES_WITH_A_NEW_TOKEN(renewing((sound, asked) -> {
		RenewResult answer = renew(sound, asked.lease(), new RenewRequest(asked.lease(), false));
		if (answer instanceof Absent && asked.createIfAbsent()) {
			return sound.renew(List.of(new RenewRequest(withToken(asked.lease(), asked.lease().token() + 1), true)))
				.get(0);
		}
		return answer;
	}), "afterALossAHolderRestoresItsRecordWithItsToken"),

	RELEASES_FOR_ANYBODY(releasing((sound, lease) -> sound.release(List.of(recordedOwner(sound, lease)))),
			"onlyTheOwnerReleases"),

	RELEASES_WITH_ANY_TOKEN(releasing((sound, lease) -> sound.release(List.of(recordedToken(sound, lease)))),
			"onlyTheRightTokenReleases", "aLateRepeatOfAReleaseLeavesTheNextLeadershipOfTheSameNodeAlone"),

	RELEASES_WITHOUT_LOOKING(releasing((sound, lease) -> sound.evict(lease.election())),
			"aLateRepeatOfAReleaseLeavesTheNextHolderAlone", "oneLeaseOfAnotherAmongManyIsNotReleased"),

	RELEASES_NOTHING(releasing((sound, lease) -> {
	}), "aReleasedLeaseIsFree"),

	RELEASES_BY_DELETING(releasing((sound, lease) -> {
		if (isHeldBy(sound, lease.owner(), lease.election())) {
			sound.clear();
		}
	}), "aReleaseKeepsTheRecordAndItsToken", "tokensRiseOverAThousandTakeovers"),

	WRITES_A_RECORD_TO_RELEASE(releasing((sound, lease) -> {
		if (sound.read(lease.election()).isEmpty()) {
			sound.renew(List.of(new RenewRequest(lease, true)));
		}
		sound.release(List.of(lease));
	}), "aReleaseWithoutARecordWritesNothing", "afterALossAReleaseWritesNothing"),

	TRANSFERS_TO_ANYBODY(transferring((sound, lease, nodeId, grace) -> sound.release(List.of(lease))),
			"aTransferredLeaseIsGrantedToItsTargetOnly", "afterItsGraceATransferredLeaseIsAnybodys"),

	TRANSFERS_TO_NOBODY(transferring((sound, lease, nodeId, grace) -> sound.transfer(lease, "nobody", grace)),
			"aTargetThatNeverAskedBeforeTakesTheLeaseToo"),

	TRANSFERS_FOR_EVER(
			transferring((sound, lease, nodeId, grace) -> sound.transfer(lease, nodeId, Duration.ofHours(1))),
			"aTransferredLeaseIsGrantedToItsTargetOnly", "afterItsGraceATransferredLeaseIsAnybodys"),

	TRANSFERS_FOR_A_MOMENT(
			transferring((sound, lease, nodeId, grace) -> sound.transfer(lease, nodeId, grace.dividedBy(2))),
			"afterItsGraceATransferredLeaseIsAnybodys"),

	TRANSFERS_FOR_ANYBODY(
			transferring((sound, lease, nodeId, grace) -> sound
				.transfer(recordedToken(sound, recordedOwner(sound, lease)), nodeId, grace)),
			"onlyTheOwnerWithTheRightTokenTransfers", "aLateRepeatOfATransferIsHarmless"),

	TRANSFERS_NOTHING(transferring((sound, lease, nodeId, grace) -> {
	}), "aTransferredLeaseIsNotRenewed"),

	WRITES_A_RECORD_TO_TRANSFER(transferring((sound, lease, nodeId, grace) -> {
		if (sound.read(lease.election()).isEmpty()) {
			sound.renew(List.of(new RenewRequest(lease, true)));
		}
		sound.transfer(lease, nodeId, grace);
	}), "aTransferWithoutARecordWritesNothing"),

	WAKES_NOBODY(watching((sound, wakeUps) -> Optional.of(() -> {
	})), "aReleaseWakesThoseWhoWait", "aTransferWakesItsTarget"),

	WAKES_WHO_NO_LONGER_LISTENS(watching((sound, wakeUps) -> {
		sound.watch(wakeUps);
		return Optional.of(() -> {
		});
	}), "hintsEndWithTheirWatch"),

	WAKES_ONE_WATCH_ONLY(watchingOnce(), "whoWasNotTheFirstIsWokenByTheNextRelease",
			"aNewWatchGivesHintsAfterAnotherWasClosed"),

	WAKES_BY_ANOTHER_NAME(watching((sound, wakeUps) -> sound.watch(shouting(wakeUps))), "aReleaseWakesThoseWhoWait"),

	ANSWERS_BACKWARDS((sound) -> new ForwardingLeaseStore(sound) {

		@Override
		public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
			return backwards(super.acquire(candidacies));
		}

		@Override
		public List<RenewResult> renew(List<RenewRequest> renewals) {
			return backwards(super.renew(renewals));
		}

	}, "candidaciesAreAnsweredInOrder", "tokensAreAnsweredInOrder", "renewalsAreAnsweredInOrder"),

	LOSES_ALL_FOR_ONE(losingAllForOne(), "oneStolenLeaseAmongManyIsLostAlone",
			"oneLeaseOfAnotherAmongManyIsNotReleased"),

	TAKES_A_HUNDRED_AT_MOST((sound) -> new ForwardingLeaseStore(sound) {

		@Override
		public List<RenewResult> renew(List<RenewRequest> renewals) {
			return super.renew(renewals.subList(0, Math.min(renewals.size(), 100)));
		}

	}, "hundredsOfLeasesAreGrantedRenewedAndReleasedTogether"),

	CANNOT_ANSWER_NOTHING((sound) -> new ForwardingLeaseStore(sound) {

		@Override
		public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
			return candidacies.isEmpty() ? List.of(new AcquireResult.Absent()) : super.acquire(candidacies);
		}

	}, "emptyBatchesAreAnswered"),

	TAKES_ALL_RUNS_OF_A_NODE_FOR_ONE(writing(UnaryOperator.identity(), (owner) -> new Owner(owner.nodeId(), "any")),
			"anotherRunOfTheSameNodeIsRefused", "aLeaseOfAnotherRunOfTheSameNodeIsNotRenewed"),

	IGNORES_CASE(writing((name) -> name.toLowerCase(Locale.ROOT), UnaryOperator.identity()),
			"namesThatLookAlikeAreDifferentElections"),

	IGNORES_TRAILING_SPACES(
			writing(String::stripTrailing, (owner) -> new Owner(owner.nodeId().strip(), owner.incarnation())),
			"namesThatLookAlikeAreDifferentElections", "oddNamesOfElectionsAndNodesAreKept"),

	CUTS_NAMES_SHORT(
			writing((name) -> name.substring(0, Math.min(name.length(), 100)),
					(owner) -> new Owner(owner.nodeId().substring(0, Math.min(owner.nodeId().length(), 100)),
							owner.incarnation())),
			"theLongestNamesAreKept", "longNamesThatDifferInTheirLastCharacterAreDifferentElections"),

	IGNORES_THE_PREFIX((sound) -> sound, "twoPrefixesShareNothing"),

	HAS_NO_CLOCK_TO_RAISE_TOKENS((sound) -> sound, "afterALossANewcomersTokenIsHigherToo",
			"theFirstTokenIsAtLeastTheTimeOfDayInMicroseconds"),

	TAKES_GARBAGE_FOR_A_FREE_LEASE((sound) -> sound, "aHostileRecordDoesNotFreeAHeldLease",
			"controlCharactersOfAStrangerAreNotShownAsTheyAre"),

	FALLS_OVER_A_RECORD_OF_ANOTHER((sound) -> new ForwardingLeaseStore(sound) {

		@Override
		public Optional<LeaseView> read(String election) {
			return super.read(election).map((view) -> {
				view.holder().ifPresent((owner) -> UUID.fromString(owner.incarnation()));
				return view;
			});
		}

	}, "aHostileRecordIsAnsweredOrRefusedButNothingElse"),

	FAILS_FOR_ALL_BECAUSE_OF_ONE_RECORD(failingForStrangers(), "aHostileRecordAmongManyKeepsNobodyFromTheOthers",
			"aHostileRecordAmongManyEndsNoOtherLease"),

	PASSES_ON_A_NEGATIVE_TOKEN(refusing((held) -> new Held(held.nodeId(), -1, held.remaining(), held.duration())),
			"aHostileRecordAmongManyKeepsNobodyFromTheOthers"),

	PASSES_ON_A_TOKEN_THAT_NONE_EXCEEDS(
			refusing((held) -> new Held(held.nodeId(), Long.MAX_VALUE, held.remaining(), held.duration())),
			"aHostileRecordAmongManyKeepsNobodyFromTheOthers"),

	PASSES_ON_A_DURATION_OF_AGES(
			refusing((held) -> new Held(held.nodeId(), held.token(), held.remaining(), Duration.ofDays(999_999))),
			"aHostileRecordAmongManyKeepsNobodyFromTheOthers"),

	FORGETS_ALL_LEASES_AT_A_RESTART(renewing((sound, asked) -> sound.read(asked.lease().election()).isEmpty()
			? new Lost() : renew(sound, asked.lease(), asked)),
			"aRestartNeitherDoublesALeaseNorLowersATokenAndStoresGoOn"),

	WAKES_NOBODY_AFTER_A_RESTART((sound) -> sound, "hintsComeAgainAfterARestart"),

	ANSWERS_WITHOUT_ITS_SERVER((sound) -> sound, "callsToAPausedServerFailOrBlockAndStoresGoOnAfterwards"),

	/** Its failures look as if the server had rejected the request. */
	REJECTS_WITHOUT_ITS_SERVER((sound) -> sound, "callsToAPausedServerFailOrBlockAndStoresGoOnAfterwards");

	private final Function<InMemoryLeaseStore, LeaseStore> breakage;

	private final List<String> foundBy;

	BrokenStore(Function<InMemoryLeaseStore, LeaseStore> breakage, String... foundBy) {
		this.breakage = breakage;
		this.foundBy = List.of(foundBy);
	}

	LeaseStore over(InMemoryLeaseStore sound) {
		return this.breakage.apply(sound);
	}

	List<String> foundBy() {
		return this.foundBy;
	}

	InMemoryLeaseStore records() {
		if (this != HAS_NO_CLOCK_TO_RAISE_TOKENS && this != RELEASES_BY_DELETING) {
			return new InMemoryLeaseStore();
		}
		long start = System.nanoTime();
		return new InMemoryLeaseStore(() -> System.nanoTime() - start, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
	}

}
