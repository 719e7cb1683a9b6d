package io.leaderelection.test.contract;

import java.util.List;

import io.leaderelection.store.Lease;
import org.junit.jupiter.api.Test;

import static io.leaderelection.test.contract.RenewingContract.ownedBy;
import static io.leaderelection.test.contract.RenewingContract.withToken;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lease is released by its holder alone, and its record stays.
 */
interface ReleasingContract extends Contract {

	@Test
	default void aReleasedLeaseIsFree() {
		Node first = scene().node();
		Lease lease = first.wins(scene().election());
		Node second = scene().node();
		second.isRefused(lease.election());
		first.releases(lease);
		assertThat(second.wins(lease.election()).token()).isGreaterThan(lease.token());
	}

	@Test
	default void aReleaseKeepsTheRecordAndItsToken() {
		Node node = scene().node();
		Lease lease = node.wins(scene().election());
		node.releases(lease);
		assertThat(node.reads(lease.election())).hasValueSatisfying((view) -> {
			assertThat(view.holder()).isEmpty();
			assertThat(view.token()).isEqualTo(lease.token());
			assertThat(view.remaining()).isZero();
		});
	}

	@Test
	default void onlyTheOwnerReleases() {
		Node holder = scene().node("twin");
		Lease lease = holder.wins(scene().election());
		for (Node other : List.of(scene().node(), scene().node("twin"))) {
			other.releases(ownedBy(other.owner(), lease));
		}
		holder.holds(lease);
		scene().node().isRefused(lease.election());
	}

	@Test
	default void onlyTheRightTokenReleases() {
		Node node = scene().node();
		Lease lease = node.wins(scene().election());
		node.releases(withToken(lease, lease.token() - 1));
		node.releases(withToken(lease, lease.token() + 1));
		node.holds(lease);
	}

	@Test
	default void aLateRepeatOfAReleaseLeavesTheNextHolderAlone() {
		Node first = scene().node();
		Lease before = first.wins(scene().election());
		first.releases(before);
		first.releases(before);
		Node second = scene().node();
		Lease now = second.wins(before.election());
		first.releases(before);
		second.holds(now);
	}

	@Test
	default void aLateRepeatOfAReleaseLeavesTheNextLeadershipOfTheSameNodeAlone() {
		Node node = scene().node();
		Lease before = node.wins(scene().election());
		node.releases(before);
		Lease now = node.wins(before.election());
		node.releases(before);
		node.holds(now);
	}

	@Test
	default void aReleaseWithoutARecordWritesNothing() {
		Node node = scene().node();
		String election = scene().election();
		node.releases(new Lease(election, node.owner(), 1, node.leaseDuration()));
		assertThat(node.reads(election)).isEmpty();
	}

}
