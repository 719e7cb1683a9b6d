package io.leaderelection.test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.memory.InMemoryLeaseStore;

/**
 * Does all that a sound store does; to be broken in one place.
 */
class ForwardingLeaseStore implements LeaseStore {

	final InMemoryLeaseStore sound;

	ForwardingLeaseStore(InMemoryLeaseStore sound) {
		this.sound = sound;
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
		return candidacies.stream().map(this::acquireOne).toList();
	}

	AcquireResult acquireOne(AcquireRequest candidacy) {
		return this.sound.acquire(List.of(candidacy)).get(0);
	}

	@Override
	public List<RenewResult> renew(List<RenewRequest> renewals) {
		return renewals.stream().map(this::renewOne).toList();
	}

	RenewResult renewOne(RenewRequest renewal) {
		return this.sound.renew(List.of(renewal)).get(0);
	}

	@Override
	public void release(List<Lease> leases) {
		leases.forEach(this::releaseOne);
	}

	void releaseOne(Lease lease) {
		this.sound.release(List.of(lease));
	}

	@Override
	public void transfer(Lease lease, String nodeId, Duration grace) {
		this.sound.transfer(lease, nodeId, grace);
	}

	@Override
	public Optional<LeaseView> read(String election) {
		return this.sound.read(election);
	}

	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		return this.sound.watch(wakeUps);
	}

}
