package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.List;

import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Goes through every statement of a store once.
 */
final class LeaseLifecycle {

	private LeaseLifecycle() {
	}

	static void on(LeaseStore store, Duration duration) {
		Owner first = new Owner("first", "1");
		Owner second = new Owner("second", "2");
		AcquireRequest candidacy = new AcquireRequest("reports", second, duration, 0, false);
		Lease lease = granted(store, new AcquireRequest("reports", first, duration, 0, true));
		assertThat(granted(store, new AcquireRequest("reports", first, duration, 0, true))).isEqualTo(lease);
		assertThat(store.acquire(List.of(candidacy)).get(0)).isInstanceOf(Held.class);
		assertThat(store.read("reports").orElseThrow().candidates()).containsExactly("second");
		assertThat(renew(store, lease, false)).isInstanceOf(RenewResult.Renewed.class);
		Lease later = new Lease("reports", first, lease.token() + 1, duration);
		assertThat(renew(store, later, false)).isInstanceOf(RenewResult.Absent.class);
		assertThat(renew(store, later, true)).isInstanceOf(RenewResult.Renewed.class);
		assertThat(renew(store, lease, true)).isInstanceOf(RenewResult.Lost.class);
		store.transfer(later, "second", duration);
		Lease taken = granted(store, candidacy);
		assertThat(taken.token()).isGreaterThan(later.token());
		store.release(List.of(taken));
		assertThat(store.read("reports").orElseThrow().holder()).isEmpty();
		assertThat(granted(store, new AcquireRequest("reports", first, duration, 0, false)).token())
			.isGreaterThan(taken.token());
	}

	private static Lease granted(LeaseStore store, AcquireRequest candidacy) {
		Granted granted = (Granted) store.acquire(List.of(candidacy)).get(0);
		return new Lease(candidacy.election(), candidacy.owner(), granted.token(), candidacy.duration());
	}

	private static RenewResult renew(LeaseStore store, Lease lease, boolean createIfAbsent) {
		return store.renew(List.of(new RenewRequest(lease, createIfAbsent))).get(0);
	}

}
