package io.leaderelection.redis;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node in a test.
 *
 * @param store its store
 * @param owner its name
 * @param duration how long its leases last
 */
record Candidate(LeaseStore store, Owner owner, Duration duration) {

	static Candidate of(LeaseStore store, Duration duration) {
		String id = UUID.randomUUID().toString();
		return new Candidate(store, new Owner("node " + id, id), duration);
	}

	/** The same node after its client has found another server. */
	Candidate on(LeaseStore other) {
		return new Candidate(other, this.owner, this.duration);
	}

	AcquireRequest candidacy(String election, long floor) {
		return new AcquireRequest(election, this.owner, this.duration, floor, true);
	}

	AcquireResult asksFor(String election) {
		return this.store.acquire(List.of(candidacy(election, 0))).get(0);
	}

	Lease wins(String election) {
		return wins(election, 0);
	}

	Lease wins(String election, long floor) {
		AcquireResult answer = this.store.acquire(List.of(candidacy(election, floor))).get(0);
		assertThat(answer).isInstanceOf(Granted.class);
		return new Lease(election, this.owner, ((Granted) answer).token(), this.duration);
	}

	Held isRefused(String election) {
		AcquireResult answer = asksFor(election);
		assertThat(answer).isInstanceOf(Held.class);
		return (Held) answer;
	}

	RenewResult renews(Lease lease) {
		return renews(lease, false);
	}

	RenewResult restores(Lease lease) {
		return renews(lease, true);
	}

	private RenewResult renews(Lease lease, boolean createIfAbsent) {
		return this.store.renew(List.of(new RenewRequest(lease, createIfAbsent))).get(0);
	}

	void releases(Lease lease) {
		this.store.release(List.of(lease));
	}

}
