package io.leaderelection.test.contract;

import java.time.Duration;

import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Lease;
import io.leaderelection.store.RenewResult.Lost;
import org.junit.jupiter.api.Test;

import static io.leaderelection.test.contract.RenewingContract.ownedBy;
import static io.leaderelection.test.contract.RenewingContract.withToken;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A transferred lease is its target's to take for a while, and then everybody's.
 */
interface TransferContract extends Contract {

	Duration LONG_GRACE = Duration.ofSeconds(30);

	@Test
	default void aTransferredLeaseIsGrantedToItsTargetOnly() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		Node target = scene().node();
		Node other = scene().node();
		target.isRefused(lease.election());
		holder.transfers(lease, target, LONG_GRACE);
		Held reserved = other.isRefused(lease.election(), lease.token());
		assertThat(reserved.remaining()).isPositive().isLessThanOrEqualTo(LONG_GRACE);
		assertThat(reserved.token()).isGreaterThanOrEqualTo(lease.token());
		holder.isRefused(lease.election(), lease.token());
		Lease taken = target.wins(lease.election(), lease.token());
		assertThat(taken.token()).isGreaterThan(lease.token());
		other.isRefused(lease.election(), lease.token());
		target.holds(taken);
	}

	@Test
	default void aTargetThatNeverAskedBeforeTakesTheLeaseToo() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		Node target = scene().node();
		holder.transfers(lease, target, LONG_GRACE);
		assertThat(target.wins(lease.election()).token()).isGreaterThan(lease.token());
	}

	@Test
	default void afterItsGraceATransferredLeaseIsAnybodys() {
		Duration grace = Duration.ofMillis(700);
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		Node target = scene().node();
		Node other = scene().node();
		long transferredAt = System.nanoTime();
		holder.transfers(lease, target, grace);
		TimedGrant grant = scene().await()
			.until(() -> TimedGrant.tried(other, lease.election(), lease.token()), (tried) -> tried.isPresent())
			.orElseThrow();
		assertThat(Duration.ofNanos(grant.answeredAt() - transferredAt)).as("grace")
			.isGreaterThanOrEqualTo(grace.minusMillis(10));
		assertThat(grant.lease().token()).isGreaterThan(lease.token());
		target.isRefused(lease.election());
	}

	@Test
	default void aTransferredLeaseIsNotRenewed() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		holder.transfers(lease, scene().node(), LONG_GRACE);
		assertThat(holder.renews(lease)).isInstanceOf(Lost.class);
		assertThat(holder.restores(lease)).isInstanceOf(Lost.class);
		assertThat(holder.reads(lease.election())).hasValueSatisfying((view) -> assertThat(view.holder()).isEmpty());
	}

	@Test
	default void onlyTheOwnerWithTheRightTokenTransfers() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		Node stranger = scene().node();
		stranger.transfers(ownedBy(stranger.owner(), lease), stranger, LONG_GRACE);
		holder.transfers(withToken(lease, lease.token() - 1), stranger, LONG_GRACE);
		holder.transfers(withToken(lease, lease.token() + 1), stranger, LONG_GRACE);
		stranger.isRefused(lease.election());
		holder.holds(lease);
	}

	@Test
	default void aLateRepeatOfATransferIsHarmless() {
		Node holder = scene().node();
		Lease before = holder.wins(scene().election());
		Node target = scene().node();
		holder.transfers(before, target, LONG_GRACE);
		holder.transfers(before, target, LONG_GRACE);
		Lease taken = target.wins(before.election(), before.token());
		holder.transfers(before, target, LONG_GRACE);
		target.holds(taken);
		target.releases(taken);
		holder.transfers(before, target, LONG_GRACE);
		scene().node().wins(before.election(), taken.token());
	}

	@Test
	default void aTransferWithoutARecordWritesNothing() {
		Node node = scene().node();
		String election = scene().election();
		node.transfers(new Lease(election, node.owner(), 1, node.leaseDuration()), scene().node(), LONG_GRACE);
		assertThat(node.reads(election)).isEmpty();
	}

}
