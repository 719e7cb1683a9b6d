package io.leaderelection.test.contract;

import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult.Absent;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lease is renewed with its owner and its token, and with nothing else.
 */
interface RenewingContract extends Contract {

	@Test
	default void aHeldLeaseIsRenewed() {
		Node node = scene().node();
		Lease lease = node.wins(scene().election());
		assertThat(node.renews(lease)).isInstanceOfSatisfying(Renewed.class,
				(renewed) -> assertThat(renewed.validFor()).isPositive());
		node.holds(lease);
	}

	@Test
	default void aRepeatedRenewalIsHarmless() {
		Node node = scene().node();
		Lease lease = node.wins(scene().election());
		for (int i = 0; i < 3; i++) {
			assertThat(node.renews(lease)).isInstanceOf(Renewed.class);
			assertThat(node.restores(lease)).isInstanceOf(Renewed.class);
		}
		node.holds(lease);
	}

	@Test
	default void aLeaseOfAnotherIsNotRenewed() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		Node stranger = scene().node();
		Lease claimed = ownedBy(stranger.owner(), lease);
		assertThat(stranger.renews(claimed)).isInstanceOf(Lost.class);
		assertThat(stranger.restores(claimed)).isInstanceOf(Lost.class);
		holder.holds(lease);
	}

	@Test
	default void aLeaseOfAnotherRunOfTheSameNodeIsNotRenewed() {
		Node holder = scene().node("twin");
		Lease lease = holder.wins(scene().election());
		Node twin = scene().node("twin");
		assertThat(twin.renews(ownedBy(twin.owner(), lease))).isInstanceOf(Lost.class);
		holder.holds(lease);
	}

	@Test
	default void aLeaseThatHasPassedToAnotherIsNotRenewed() {
		Node first = scene().node();
		Lease before = first.wins(scene().election());
		first.releases(before);
		Node second = scene().node();
		Lease now = second.wins(before.election());
		assertThat(first.renews(before)).isInstanceOf(Lost.class);
		assertThat(first.restores(before)).isInstanceOf(Lost.class);
		second.holds(now);
	}

	@Test
	default void aReleasedLeaseIsNotRenewed() {
		Node node = scene().node();
		Lease lease = node.wins(scene().election());
		node.releases(lease);
		assertThat(node.renews(lease)).isInstanceOf(Lost.class);
		assertThat(node.restores(lease)).isInstanceOf(Lost.class);
		scene().node().wins(lease.election());
	}

	@Test
	default void aLateRenewalOfAnEarlierLeadershipOfTheSameNodeIsLost() {
		Node node = scene().node();
		Lease before = node.wins(scene().election());
		node.releases(before);
		Lease now = node.wins(before.election());
		assertThat(node.renews(before)).isInstanceOf(Lost.class);
		assertThat(node.restores(before)).isInstanceOf(Lost.class);
		node.holds(now);
	}

	@Test
	default void aRecordOfAnEarlierLeadershipIsOverwrittenOnlyIfAllowed() {
		Node node = scene().node();
		Lease written = node.wins(scene().election());
		Lease later = withToken(written, written.token() + 1);
		assertThat(node.renews(later)).isInstanceOf(Absent.class);
		node.holds(written);
		assertThat(node.restores(later)).isInstanceOf(Renewed.class);
		node.holds(later);
		assertThat(node.renews(written)).isInstanceOf(Lost.class);
	}

	@Test
	default void aRenewalWithoutARecordWritesItOnlyIfAllowed() {
		Node node = scene().node();
		long token = node.wins(scene().election()).token();
		Lease lease = new Lease(scene().election(), node.owner(), token, node.leaseDuration());
		assertThat(node.renews(lease)).isInstanceOf(Absent.class);
		assertThat(node.reads(lease.election())).isEmpty();
		assertThat(node.restores(lease)).isInstanceOf(Renewed.class);
		node.holds(lease);
	}

	static Lease ownedBy(Owner owner, Lease lease) {
		return new Lease(lease.election(), owner, lease.token(), lease.duration());
	}

	static Lease withToken(Lease lease, long token) {
		return new Lease(lease.election(), lease.owner(), token, lease.duration());
	}

}
