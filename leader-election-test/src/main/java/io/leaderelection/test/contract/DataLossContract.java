package io.leaderelection.test.contract;

import java.util.List;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Lease;
import io.leaderelection.store.RenewResult.Absent;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A store that has lost its data says so, and does not take silence for a free lease.
 */
interface DataLossContract extends Contract {

	@Test
	default void afterALossACandidateIsToldThatThereIsNoRecord() {
		Lease lease = scene().node().wins(scene().election());
		Node candidate = scene().node();
		candidate.isRefused(lease.election());
		scene().loseAllData();
		assertThat(candidate.asksIfPresent(lease.election(), lease.token())).isInstanceOf(AcquireResult.Absent.class);
		assertThat(candidate.reads(lease.election())).isEmpty();
	}

	@Test
	default void afterALossALeaseIsGrantedAboveTheFloor() {
		Lease lease = scene().node().wins(scene().election());
		scene().loseAllData();
		long floor = lease.token() + 1_000_000_000;
		assertThat(scene().node().wins(lease.election(), floor).token()).isGreaterThan(floor);
	}

	@Test
	default void afterALossANewcomersTokenIsHigherToo() {
		Lease lease = scene().node().wins(scene().election());
		scene().loseAllData();
		// Only the clock is left to tell the store which tokens it has given.
		long lostAt = System.nanoTime();
		scene().await().until(() -> System.nanoTime() - lostAt > 5_000_000);
		assertThat(scene().node().wins(lease.election()).token()).isGreaterThan(lease.token());
	}

	@Test
	default void afterALossARenewalWritesNothingUnlessAllowed() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		scene().loseAllData();
		assertThat(holder.renews(lease)).isInstanceOf(Absent.class);
		assertThat(holder.reads(lease.election())).isEmpty();
		assertThat(holder.renews(lease)).isInstanceOf(Absent.class);
	}

	@Test
	default void afterALossAHolderRestoresItsRecordWithItsToken() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		scene().loseAllData();
		assertThat(holder.restores(lease)).isInstanceOf(Renewed.class);
		Node candidate = scene().node();
		assertThat(candidate.isRefused(lease.election()).token()).isEqualTo(lease.token());
		holder.holds(lease);
		holder.releases(lease);
		assertThat(candidate.wins(lease.election()).token()).isGreaterThan(lease.token());
	}

	@Test
	default void afterALossManyRecordsAreRestoredTogether() {
		Node holder = scene().node();
		List<Lease> leases = holder.wins(scene().elections(20));
		scene().loseAllData();
		assertThat(holder.renews(leases)).hasSize(20).hasOnlyElementsOfType(Absent.class);
		assertThat(holder.restores(leases)).hasSize(20).hasOnlyElementsOfType(Renewed.class);
		leases.forEach(holder::holds);
	}

	@Test
	default void afterALossAHolderDoesNotOverwriteALaterLeadership() {
		Node holder = scene().node();
		Lease before = holder.wins(scene().election());
		scene().loseAllData();
		Node next = scene().node();
		Lease now = next.wins(before.election(), before.token());
		assertThat(holder.renews(before)).isInstanceOf(Lost.class);
		assertThat(holder.restores(before)).isInstanceOf(Lost.class);
		next.holds(now);
	}

	@Test
	default void afterALossAHolderOverwritesAnEarlierLeadershipOnlyIfAllowed() {
		Node holder = scene().node();
		String election = scene().election();
		long floor = holder.wins(scene().election()).token() + 1_000_000_000_000L;
		Lease lease = holder.wins(election, floor);
		scene().loseAllData();
		Node newcomer = scene().node();
		Lease lower = newcomer.wins(election);
		Assumptions.assumeTrue(lower.token() < lease.token(), "this store's tokens rise though its records are lost");
		assertThat(holder.renews(lease)).isInstanceOf(Absent.class);
		newcomer.holds(lower);
		assertThat(holder.restores(lease)).isInstanceOf(Renewed.class);
		holder.holds(lease);
		assertThat(newcomer.renews(lower)).isInstanceOf(Lost.class);
	}

	@Test
	default void afterALossAReleaseWritesNothing() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		scene().loseAllData();
		holder.releases(lease);
		assertThat(holder.reads(lease.election())).isEmpty();
	}

}
