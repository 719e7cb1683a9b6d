package io.leaderelection.store.observed;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult.Absent;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.WakeUps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a store without a clock decides by, in time that stands until it is moved.
 */
class ObservedLeaseStoreTests {

	private static final Duration LEASE = Duration.ofSeconds(10);

	private static final String ELECTION = "reports";

	private final AtomicLong nanos = new AtomicLong();

	private final InstantSource clock = InstantSource.fixed(Instant.ofEpochSecond(1));

	private final RecordsInMemory records = new RecordsInMemory();

	private final Node holder = new Node("holder");

	private final Node candidate = new Node("candidate");

	@Test
	void aRecordThatWasSeenUnchangedForItsDurationIsTaken() {
		Lease lease = this.holder.wins();
		this.candidate.isRefused();
		pass(LEASE.minusNanos(1));
		assertThat(this.candidate.isRefused().remaining()).isEqualTo(Duration.ofNanos(1));
		pass(Duration.ofNanos(1));
		assertThat(this.candidate.wins().token()).isGreaterThan(lease.token());
	}

	@Test
	void whatWasNeverSeenBeforeIsWaitedForThoughItIsOld() {
		this.holder.wins();
		pass(LEASE.multipliedBy(100));
		assertThat(this.candidate.isRefused().remaining()).isEqualTo(LEASE);
	}

	@Test
	void whatWasSeenBeforeACheckpointProvesNothingAfterIt() {
		this.holder.wins();
		this.candidate.isRefused();
		// the same process goes on as another incarnation, on the clock of another
		// machine
		this.candidate.ahead = LEASE.multipliedBy(1000).toNanos();
		AcquireRequest restored = new AcquireRequest(ELECTION, new Owner("candidate", "restored"), LEASE, 0, true);
		assertThat(this.candidate.store.acquire(List.of(restored))).singleElement()
			.isInstanceOfSatisfying(Held.class, (held) -> assertThat(held.remaining()).isEqualTo(LEASE));
	}

	@Test
	void theWaitBeginsAnewWithEveryVersion() {
		Lease lease = this.holder.wins();
		this.candidate.isRefused();
		pass(LEASE.dividedBy(2));
		assertThat(this.holder.renews(lease)).isInstanceOf(Renewed.class);
		pass(LEASE.dividedBy(2));
		assertThat(this.candidate.isRefused().remaining()).isEqualTo(LEASE);
	}

	@Test
	void theDurationThatCountsIsTheHolders() {
		this.holder.wins();
		AcquireRequest impatient = new AcquireRequest(ELECTION, this.candidate.owner, Duration.ofSeconds(1), 0, true);
		assertThat(this.candidate.store.acquire(List.of(impatient))).singleElement().isInstanceOf(Held.class);
		pass(Duration.ofSeconds(9));
		assertThat(this.candidate.store.acquire(List.of(impatient))).singleElement().isInstanceOf(Held.class);
	}

	@Test
	void aRenewalInTheLastMomentKeepsTheLease() {
		Lease lease = this.holder.wins();
		this.candidate.isRefused();
		this.candidate.ahead = LEASE.toNanos();
		this.records.beforeNextWrite(() -> assertThat(this.holder.renews(lease)).isInstanceOf(Renewed.class));
		assertThat(this.candidate.isRefused().nodeId()).contains(this.holder.owner.nodeId());
		assertThat(this.records.record(ELECTION).isHeldWith(lease)).isTrue();
	}

	@Test
	void aTakeoverInTheLastMomentEndsTheLease() {
		Lease lease = this.holder.wins();
		this.candidate.isRefused();
		this.candidate.ahead = LEASE.toNanos();
		this.records.beforeNextWrite(() -> this.candidate.wins());
		assertThat(this.holder.renews(lease)).isInstanceOf(Lost.class);
		assertThat(this.records.record(ELECTION).holder()).isEqualTo(this.candidate.owner);
	}

	@Test
	void aHolderThatSleptForItsLeaseDoesNotReviveIt() {
		Lease lease = this.holder.wins();
		pass(LEASE);
		assertThat(this.holder.renews(lease)).isInstanceOf(Lost.class);
		assertThat(this.holder.renews(lease, true)).isInstanceOf(Lost.class);
		assertThat(this.records.writes()).isEqualTo(1);
	}

	@Test
	void theLeaseOfAHolderCountsFromTheSendingNotFromTheAnswer() {
		this.records.beforeNextWrite(() -> pass(LEASE.dividedBy(2)));
		Lease lease = this.holder.wins();
		pass(LEASE.dividedBy(2));
		assertThat(this.holder.renews(lease)).isInstanceOf(Lost.class);
	}

	@Test
	void aLeaseThatWasTakenInBetweenIsLostThoughItsOwnClockStoodStill() {
		Lease lease = this.holder.wins();
		this.candidate.isRefused();
		this.candidate.ahead = LEASE.toNanos();
		Lease next = this.candidate.wins();
		assertThat(this.holder.renews(lease)).isInstanceOf(Lost.class);
		assertThat(this.holder.renews(lease, true)).isInstanceOf(Lost.class);
		assertThat(this.candidate.renews(next)).isInstanceOf(Renewed.class);
	}

	@Test
	void aRenewalWhoseAnswerWasLostIsRepeated() {
		Lease lease = this.holder.wins();
		this.records.swallowAnswers(true);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> this.holder.renews(lease));
		this.records.swallowAnswers(false);
		assertThat(this.holder.renews(lease)).isInstanceOf(Renewed.class);
	}

	@Test
	void aGrantWhoseAnswerWasLostIsRepeatedWithTheSameToken() {
		this.records.swallowAnswers(true);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(this.holder::asks);
		long token = this.records.record(ELECTION).token();
		this.records.swallowAnswers(false);
		assertThat(this.holder.wins().token()).isEqualTo(token);
	}

	@Test
	void aGrantThatNobodyHeardOfEnds() {
		this.records.swallowAnswers(true);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(this.holder::asks);
		this.records.swallowAnswers(false);
		this.candidate.isRefused();
		pass(LEASE);
		this.candidate.wins();
	}

	@Test
	void whatWasRenewedIsKnownThoughAnotherRenewalFailed() {
		List<Lease> leases = this.holder.winsAll(10);
		int reads = this.records.reads();
		this.records.swallowEverySecondAnswer();
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> this.holder.renewsAll(leases))
			.withMessageContaining("5 of 10 writes failed");
		assertThat(this.records.reads()).isEqualTo(reads);
		this.records.swallowAnswers(false);
		int writes = this.records.writes();
		assertThat(this.holder.renewsAll(leases)).hasOnlyElementsOfType(Renewed.class);
		// five with the version that is known, five that have changed unheard, and those
		// again
		assertThat(this.records.writes() - writes).isEqualTo(15);
	}

	@Test
	void aRenewalIsOneWriteAndNoRead() {
		List<Lease> leases = this.holder.winsAll(100);
		int reads = this.records.reads();
		int writes = this.records.writes();
		assertThat(this.holder.renewsAll(leases)).hasOnlyElementsOfType(Renewed.class);
		assertThat(this.records.reads()).isEqualTo(reads);
		assertThat(this.records.writes()).isEqualTo(writes + 100);
	}

	@Test
	void onlyHolderAndTokenRenew() {
		Lease lease = this.holder.wins();
		Node twin = new Node("holder");
		assertThat(twin.renews(new Lease(ELECTION, twin.owner, lease.token(), LEASE))).isInstanceOf(Lost.class);
		assertThat(this.holder.renews(new Lease(ELECTION, this.holder.owner, lease.token() - 1, LEASE)))
			.isInstanceOf(Lost.class);
		assertThat(this.records.writes()).isEqualTo(1);
	}

	@Test
	void aReleaseLeavesTheLeaseOfAnotherAlone() {
		Lease lease = this.holder.wins();
		this.candidate.isRefused();
		this.candidate.ahead = LEASE.toNanos();
		Lease next = this.candidate.wins();
		this.holder.store.release(List.of(lease));
		this.candidate.store.release(List.of(new Lease(ELECTION, this.candidate.owner, next.token() - 1, LEASE)));
		assertThat(this.records.record(ELECTION).holder()).isEqualTo(this.candidate.owner);
	}

	@Test
	void aReleaseThatFailedIsOverForItsHolderAllTheSame() {
		Lease lease = this.holder.wins();
		this.records.pause(true);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> this.holder.store
			.release(List.of(new Lease(ELECTION, this.holder.owner, lease.token(), Duration.ofMillis(1)))));
		this.records.pause(false);
		assertThat(this.holder.renews(lease)).isInstanceOf(Lost.class);
		assertThat(this.holder.wins().token()).isGreaterThan(lease.token());
	}

	@Test
	void aReservedLeaseIsLeftToItsTargetUntilItWasSeenForTheWholeGrace() {
		Lease lease = this.holder.wins();
		Duration grace = Duration.ofSeconds(2);
		this.holder.store.transfer(lease, "somebody", grace);
		assertThat(this.candidate.isRefused().remaining()).isEqualTo(grace);
		pass(grace.minusNanos(1));
		this.candidate.isRefused();
		assertThat(new Node("somebody").wins().token()).isGreaterThan(lease.token());
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 500_000, 1_000_000, 5_000_000 })
	void aTokenExceedsThePreviousTheFloorAndTheClock(long floor) {
		this.records.put(ELECTION, new LeaseRecord(3_000_000, LEASE, null, null, null));
		assertThat(this.holder.wins(floor).token()).isEqualTo(Math.max(3_000_001, floor + 1));
		this.records.clear();
		assertThat(this.candidate.wins(floor).token()).isEqualTo(Math.max(1_000_000, floor + 1));
	}

	@Test
	void whenThereIsNoHigherTokenNobodyIsElected() {
		this.records.put(ELECTION, new LeaseRecord(Long.MAX_VALUE - 1, LEASE, null, null, null));
		this.holder.isRefused();
		assertThat(this.records.writes()).isZero();
	}

	@Test
	void aRecordThatIsMissingIsCreatedOnlyIfThatIsAllowed() {
		AcquireRequest candidacy = new AcquireRequest(ELECTION, this.holder.owner, LEASE, 0, false);
		assertThat(this.holder.store.acquire(List.of(candidacy))).singleElement()
			.isInstanceOf(AcquireResult.Absent.class);
		assertThat(this.records.writes()).isZero();
	}

	@Test
	void aLeaseThatAnotherToolHoldsIsRespectedAndTakenWhenItStandsStill() {
		this.records.put(ELECTION, LeaseRecord.foreign(0, "another tool", LEASE));
		assertThat(this.candidate.isRefused().nodeId()).contains("another tool");
		pass(LEASE);
		assertThat(this.candidate.wins().token()).isEqualTo(1_000_000);
	}

	@Test
	void aLeaseThatAnotherToolHasTakenIsLostNotWrittenAgain() {
		Lease lease = this.holder.wins();
		this.records.put(ELECTION, LeaseRecord.foreign(0, "another tool", LEASE));
		assertThat(this.holder.renews(lease)).isInstanceOf(Lost.class);
		assertThat(this.holder.renews(lease, true)).isInstanceOf(Lost.class);
		assertThat(this.records.record(ELECTION).isForeign()).isTrue();
	}

	@Test
	void aRecordThatCannotBeReadFreesNothingAndIsReplacedByItsHolderOnly() {
		Lease lease = this.holder.wins();
		this.records.putGarbage(ELECTION);
		pass(LEASE.minusNanos(1));
		this.candidate.isRefused();
		assertThat(this.holder.renews(lease)).isInstanceOf(Absent.class);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> this.candidate.store.read(ELECTION))
			.withMessageContaining("The record of 'reports'");
		assertThat(this.holder.renews(lease, true)).isInstanceOf(Renewed.class);
		assertThat(this.records.record(ELECTION).isHeldWith(lease)).isTrue();
	}

	@Test
	void aNodeTellsWhatItStandsByForOnceInHalfALease() {
		List<Lease> leases = this.holder.winsAll(100);
		for (int i = 0; i < 40; i++) {
			this.holder.renewsAll(leases);
			this.candidate.asksAll(100);
			pass(LEASE.dividedBy(10));
		}
		assertThat(this.records.standBys()).isEqualTo(4 * 2);
		assertThat(this.records.reads()).isEqualTo(1 + 40);
		assertThat(this.holder.store.read(ELECTION + 99).orElseThrow().candidates()).containsExactly("candidate");
	}

	@Test
	void whatIsNewIsToldAtOnceAndWhatIsNoLongerAskedForNoMore() {
		this.holder.winsAll(2);
		this.candidate.asks(ELECTION + 0);
		this.candidate.asks(ELECTION + 1);
		assertThat(this.holder.store.read(ELECTION + 1).orElseThrow().candidates()).containsExactly("candidate");
		pass(LEASE.multipliedBy(3));
		this.candidate.asks(ELECTION + 1);
		this.records.put(ELECTION + 1, LeaseRecord.foreign(1, "another", LEASE));
		pass(LEASE.multipliedBy(3));
		this.candidate.asks(ELECTION + 1);
		assertThat(this.holder.store.read(ELECTION + 0).orElseThrow().candidates()).isEmpty();
	}

	@Test
	void noLeadershipWaitsForStandingBy() {
		this.holder.wins(ELECTION + 0);
		this.records.letStandByFail(true);
		assertThat(this.candidate.asksAll(2)).satisfiesExactly((first) -> assertThat(first).isInstanceOf(Held.class),
				(second) -> assertThat(second).isInstanceOf(Granted.class));
		this.records.letStandByFail(false);
		this.candidate.asksAll(2);
		assertThat(this.records.standBys()).isEqualTo(1);
	}

	@Test
	void whoClosesStandsByNoLonger() {
		this.holder.wins();
		this.candidate.isRefused();
		this.candidate.store.close();
		assertThat(this.holder.store.read(ELECTION).orElseThrow().candidates()).isEmpty();
	}

	@Test
	void whatAWatchShowsIsSeenAndWakesThoseWhoWait() {
		Lease lease = this.holder.wins();
		StringBuilder hints = new StringBuilder();
		Watched watched = new Watched(this.records);
		try (ObservedLeaseStore store = new ObservedLeaseStore(watched, this.nanos::get, this.clock);
				LeaseStore.Watch watch = store.watch(hintsTo(hints)).orElseThrow()) {
			assertThat(watch).isNotNull();
			watched.show(ELECTION);
			assertThat(hints).isEmpty();
			pass(LEASE.minusNanos(1));
			AcquireRequest candidacy = this.candidate.candidacy(ELECTION, 0);
			assertThat(store.acquire(List.of(candidacy))).singleElement()
				.isInstanceOfSatisfying(Held.class,
						(held) -> assertThat(held.remaining()).isEqualTo(Duration.ofNanos(1)));
			this.holder.store.release(List.of(lease));
			watched.show(ELECTION);
			assertThat(hints).hasToString(ELECTION);
			watched.missSome();
			assertThat(hints).hasToString(ELECTION + " all");
		}
	}

	private static WakeUps hintsTo(StringBuilder hints) {
		return new WakeUps() {

			@Override
			public void wakeUp(String election) {
				hints.append(election);
			}

			@Override
			public void wakeUpAll() {
				hints.append(" all");
			}

			@Override
			public void leasesLost() {
				hints.append(" lost");
			}

		};
	}

	private void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

	/** One node with a store of its own, whose clock may be ahead of the others'. */
	private final class Node {

		private final Owner owner;

		private long ahead;

		private final ObservedLeaseStore store = new ObservedLeaseStore(ObservedLeaseStoreTests.this.records,
				() -> ObservedLeaseStoreTests.this.nanos.get() + this.ahead, ObservedLeaseStoreTests.this.clock);

		Node(String nodeId) {
			this.owner = new Owner(nodeId, nodeId + "-" + System.identityHashCode(this));
		}

		AcquireRequest candidacy(String election, long floor) {
			return new AcquireRequest(election, this.owner, LEASE, floor, true);
		}

		AcquireResult asks() {
			return asks(ELECTION);
		}

		AcquireResult asks(String election) {
			return this.store.acquire(List.of(candidacy(election, 0))).get(0);
		}

		List<AcquireResult> asksAll(int count) {
			return this.store.acquire(IntStream.range(0, count).mapToObj((i) -> candidacy(ELECTION + i, 0)).toList());
		}

		Held isRefused() {
			AcquireResult answer = asks();
			assertThat(answer).isInstanceOf(Held.class);
			return (Held) answer;
		}

		Lease wins() {
			return wins(0);
		}

		Lease wins(String election) {
			return granted(election, asks(election));
		}

		Lease wins(long floor) {
			return granted(ELECTION, this.store.acquire(List.of(candidacy(ELECTION, floor))).get(0));
		}

		List<Lease> winsAll(int count) {
			List<AcquireResult> answers = asksAll(count);
			return IntStream.range(0, count).mapToObj((i) -> granted(ELECTION + i, answers.get(i))).toList();
		}

		private Lease granted(String election, AcquireResult answer) {
			assertThat(answer).isInstanceOf(Granted.class);
			return new Lease(election, this.owner, ((Granted) answer).token(), LEASE);
		}

		Object renews(Lease lease) {
			return renews(lease, false);
		}

		Object renews(Lease lease, boolean createIfAbsent) {
			return this.store.renew(List.of(new RenewRequest(lease, createIfAbsent))).get(0);
		}

		List<?> renewsAll(List<Lease> leases) {
			return this.store.renew(leases.stream().map((lease) -> new RenewRequest(lease, false)).toList());
		}

	}

}
