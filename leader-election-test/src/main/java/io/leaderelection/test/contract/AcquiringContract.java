package io.leaderelection.test.contract;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Absent;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Lease;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who is granted a lease, and what the others are told.
 */
interface AcquiringContract extends Contract {

	@Test
	default void aFreeLeaseIsGranted() {
		AcquireResult answer = scene().node().asksFor(scene().election());
		assertThat(answer).isInstanceOfSatisfying(Granted.class, (granted) -> {
			assertThat(granted.token()).isPositive();
			assertThat(granted.validFor()).isPositive();
		});
	}

	@Test
	default void aHeldLeaseIsRefusedAndItsHolderNamed() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		Held held = scene().node().isRefused(lease.election());
		assertThat(held.nodeId()).contains(holder.id());
		assertThat(held.token()).isEqualTo(lease.token());
	}

	@Test
	default void aRefusedCandidateIsToldTheRemainingTime() {
		Lease lease = scene().node().wins(scene().election());
		Held held = scene().node().isRefused(lease.election());
		assertThat(held.remaining()).isPositive().isLessThanOrEqualTo(held.duration());
		if (!scene().leasesAreSessions()) {
			assertThat(held.duration()).isEqualTo(lease.duration());
		}
	}

	@Test
	default void theRemainingTimeShrinks() {
		Assumptions.assumeFalse(scene().leasesAreSessions(), "a session does not say when it would end");
		Lease lease = scene().node().wins(scene().election());
		Node candidate = scene().node();
		Duration first = candidate.isRefused(lease.election()).remaining();
		scene().await()
			.untilAsserted(() -> assertThat(candidate.isRefused(lease.election()).remaining())
				.isLessThan(first.minusMillis(50)));
	}

	@Test
	default void aRenewalMovesTheEndThatCandidatesAreTold() {
		Assumptions.assumeFalse(scene().leasesAreSessions(), "a session does not say when it would end");
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		Node candidate = scene().node();
		Duration shrunk = scene().await()
			.until(() -> candidate.isRefused(lease.election()).remaining(),
					(remaining) -> remaining.compareTo(lease.duration().minusMillis(300)) < 0);
		holder.renews(lease);
		assertThat(candidate.isRefused(lease.election()).remaining()).isGreaterThan(shrunk);
	}

	@Test
	default void aRequestWhoseAnswerWasLostIsGrantedTheSameTokenWhenRepeated() {
		Node node = scene().node();
		Lease lease = node.wins(scene().election());
		assertThat(node.wins(lease.election())).isEqualTo(lease);
		assertThat(node.wins(lease.election(), lease.token() - 1)).isEqualTo(lease);
	}

	@Test
	default void requestsOfOneCandidateAtTheSameTimeAreGrantedOneToken() throws Exception {
		Node node = scene().node();
		for (String election : scene().elections(10)) {
			Callable<Lease> request = () -> node.wins(election);
			List<Lease> leases = scene().atOnce(Collections.nCopies(3, request));
			assertThat(leases).containsOnly(leases.get(0));
		}
	}

	@Test
	default void anotherRunOfTheSameNodeIsRefused() {
		Lease lease = scene().node("twin").wins(scene().election());
		assertThat(scene().node("twin").isRefused(lease.election()).token()).isEqualTo(lease.token());
	}

	@Test
	default void aCandidateIsRefusedItsOwnLeaseIfThatLeadershipHasEnded() {
		Node node = scene().node();
		Lease lease = node.wins(scene().election());
		assertThat(node.isRefused(lease.election(), lease.token()).token()).isEqualTo(lease.token());
		assertThat(node.isRefused(lease.election(), lease.token() + 1).remaining()).isPositive();
	}

	@Test
	default void withoutARecordNothingIsGrantedUnlessAllowed() {
		Node node = scene().node();
		String election = scene().election();
		assertThat(node.asksIfPresent(election, 0)).isInstanceOf(Absent.class);
		assertThat(node.reads(election)).isEmpty();
		node.wins(election);
	}

	@Test
	default void aReleasedLeaseIsGrantedWithoutLeaveToCreateIt() {
		Node first = scene().node();
		Lease lease = first.wins(scene().election());
		first.releases(lease);
		assertThat(scene().node().asksIfPresent(lease.election(), lease.token())).isInstanceOf(Granted.class);
	}

	@Test
	default void aCandidateThatStopsAskingHoldsNobodyUp() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		scene().nodes(2).forEach((silent) -> silent.isRefused(lease.election()));
		Node candidate = scene().node();
		candidate.isRefused(lease.election());
		holder.releases(lease);
		candidate.wins(lease.election());
	}

	@Test
	default void refusedRequestsLeaveTheHolderAlone() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		for (Node candidate : scene().nodes(3)) {
			candidate.isRefused(lease.election());
			candidate.isRefused(lease.election(), lease.token() + 1_000);
		}
		holder.holds(lease);
	}

}
