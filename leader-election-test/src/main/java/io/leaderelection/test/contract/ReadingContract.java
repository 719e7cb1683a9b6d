package io.leaderelection.test.contract;

import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseView;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Anybody may read who holds a lease and who stands by.
 */
interface ReadingContract extends Contract {

	@Test
	default void anElectionWithoutARecordReadsAsEmpty() {
		assertThat(scene().node().reads(scene().election())).isEmpty();
	}

	@Test
	default void aHeldLeaseShowsItsHolderTokenAndRemainingTime() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		LeaseView view = scene().node().reads(lease.election()).orElseThrow();
		assertThat(view.holder()).contains(holder.owner());
		assertThat(view.token()).isEqualTo(lease.token());
		assertThat(view.remaining()).isPositive();
		if (!scene().leasesAreSessions()) {
			assertThat(view.remaining()).isLessThanOrEqualTo(lease.duration());
		}
		assertThat(view.candidates()).isEmpty();
	}

	@Test
	default void refusedCandidatesStandBy() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		Node first = scene().node();
		Node second = scene().node();
		first.isRefused(lease.election());
		second.isRefused(lease.election());
		second.isRefused(lease.election());
		assertThat(holder.reads(lease.election()).orElseThrow().candidates()).containsExactlyInAnyOrder(first.id(),
				second.id());
	}

	@Test
	default void aCandidateThatLeadsStandsByNoLonger() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		Node next = scene().node();
		Node other = scene().node();
		next.isRefused(lease.election());
		other.isRefused(lease.election());
		holder.releases(lease);
		next.wins(lease.election());
		assertThat(holder.reads(lease.election()).orElseThrow().candidates()).containsExactly(other.id());
	}

	@Test
	default void readingChangesNothing() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		Node reader = scene().node();
		LeaseView before = reader.reads(lease.election()).orElseThrow();
		LeaseView after = reader.reads(lease.election()).orElseThrow();
		assertThat(after.holder()).isEqualTo(before.holder());
		assertThat(after.token()).isEqualTo(before.token());
		assertThat(after.remaining()).isLessThanOrEqualTo(before.remaining());
		holder.holds(lease);
	}

}
