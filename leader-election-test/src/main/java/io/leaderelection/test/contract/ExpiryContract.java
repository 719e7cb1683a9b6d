package io.leaderelection.test.contract;

import java.time.Duration;

import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.Lease;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lease that nobody renews ends, not before its time and not much after.
 */
interface ExpiryContract extends Contract {

	@Test
	default void anAbandonedLeaseIsGrantedToAnotherWhenItsTimeIsOver() {
		Node crashed = scene().node().withLeaseDuration(scene().shortLease());
		String election = scene().election();
		TimedGrant first = TimedGrant.of(crashed, election, 0);
		scene().abandon(crashed);
		Node candidate = scene().node();
		TimedGrant second = scene().await()
			.until(() -> TimedGrant.tried(candidate, election, 0), (tried) -> tried.isPresent())
			.orElseThrow();
		assertThat(second.lease().token()).isGreaterThan(first.lease().token());
		if (!scene().leasesAreSessions()) {
			second.followed(first);
		}
	}

	@Test
	default void aCandidateThatWaitsAsLongAsItWasToldIsGranted() {
		Assumptions.assumeFalse(scene().leasesAreSessions(), "a session does not say when it would end");
		Lease lease = scene().node().withLeaseDuration(scene().shortLease()).wins(scene().election());
		Node candidate = scene().node();
		Duration told = candidate.isRefused(lease.election()).remaining();
		long toldAt = System.nanoTime();
		// A store that counts in milliseconds may be off by one.
		Duration wait = told.plusMillis(2);
		scene().await().until(() -> System.nanoTime() - toldAt > wait.toNanos());
		candidate.wins(lease.election());
	}

	@Test
	default void aRenewedLeaseOutlastsItsFirstTime() {
		Assumptions.assumeFalse(scene().leasesAreSessions(), "a session lasts without renewals");
		Node holder = scene().node().withLeaseDuration(scene().shortLease());
		Node candidate = scene().node();
		TimedGrant grant = TimedGrant.of(holder, scene().election(), 0);
		Lease lease = grant.lease();
		long enough = lease.duration().multipliedBy(3).dividedBy(2).toNanos();
		long lastSent = grant.sentAt();
		while (System.nanoTime() - grant.sentAt() < enough) {
			long sent = System.nanoTime();
			RenewResult renewal = holder.renews(lease);
			Assumptions.assumeTrue(System.nanoTime() - lastSent < lease.duration().toNanos(),
					"the machine stalled for longer than a lease");
			assertThat(renewal).isInstanceOf(Renewed.class);
			lastSent = sent;
			assertThat(TimedGrant.tried(candidate, lease.election(), 0)).isEmpty();
		}
	}

	@Test
	default void anEndedLeaseIsNeitherRenewedNorGivenUp() {
		Node former = scene().node().withLeaseDuration(scene().shortLease());
		Lease lease = former.wins(scene().election());
		scene().abandon(former);
		Node candidate = scene().node();
		scene().await()
			.untilAsserted(() -> assertThat(candidate.reads(lease.election()))
				.hasValueSatisfying((view) -> assertThat(view.holder()).isEmpty()));
		assertThat(scene().answerOf(() -> former.renews(lease))).isInstanceOf(Lost.class);
		assertThat(scene().answerOf(() -> former.restores(lease))).isInstanceOf(Lost.class);
		former.transfers(lease, former, Duration.ofSeconds(30));
		former.releases(lease);
		assertThat(candidate.reads(lease.election())).hasValueSatisfying((view) -> {
			assertThat(view.holder()).isEmpty();
			assertThat(view.token()).isEqualTo(lease.token());
			assertThat(view.remaining()).isZero();
		});
		assertThat(candidate.asksIfPresent(lease.election(), 0)).isInstanceOfSatisfying(Granted.class,
				(granted) -> assertThat(granted.token()).isGreaterThan(lease.token()));
	}

	@Test
	default void anEndedLeadershipOfOnesOwnIsWaitedOut() {
		Node node = scene().node().withLeaseDuration(scene().shortLease());
		String election = scene().election();
		TimedGrant first = TimedGrant.of(node, election, 0);
		TimedGrant second = scene().await()
			.until(() -> TimedGrant.tried(node, election, first.lease().token()), (tried) -> tried.isPresent())
			.orElseThrow();
		assertThat(second.lease().token()).isGreaterThan(first.lease().token());
		if (!scene().leasesAreSessions()) {
			second.followed(first);
		}
	}

}
