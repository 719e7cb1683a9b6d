package io.leaderelection.annotation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.memory.InMemoryLeaseStore;

import static org.awaitility.Awaitility.await;

/**
 * Leases of a test: they keep a journal, and can be taken away.
 */
final class Leases implements LeaseStore {

	final List<String> journal = new CopyOnWriteArrayList<>();

	/** A journal of the test, to see the order of things. */
	volatile List<String> told = new CopyOnWriteArrayList<>();

	private final InMemoryLeaseStore leases = new InMemoryLeaseStore();

	private volatile boolean stolen;

	/**
	 * Another node that leads these elections until it is closed.
	 */
	LeaderElections rival(String... elections) {
		LeaderElections rival = LeaderElections.on(this.leases).nodeId("rival").build();
		rival.start();
		for (String election : elections) {
			await().until(rival.elector(election)::tryBecomeLeader);
		}
		return rival;
	}

	/** Lets a leader find out that its lease is another's. */
	void steal(LeaderElector leader) {
		this.stolen = true;
		leader.operations().recheck();
		await().until(() -> !leader.isLeader());
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
		return this.leases.acquire(candidacies);
	}

	@Override
	public List<RenewResult> renew(List<RenewRequest> renewals) {
		return this.stolen ? renewals.stream().<RenewResult>map((renewal) -> new RenewResult.Lost()).toList()
				: this.leases.renew(renewals);
	}

	@Override
	public void release(List<Lease> released) {
		this.journal.add("release");
		this.told.add("release");
		this.leases.release(released);
	}

	@Override
	public void transfer(Lease lease, String nodeId, Duration grace) {
		this.leases.transfer(lease, nodeId, grace);
	}

	@Override
	public Optional<LeaseView> read(String election) {
		return this.leases.read(election);
	}

	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		return this.leases.watch(wakeUps);
	}

}
