package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.memory.InMemoryLeaseStore;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * A store whose client stops with the application, in the phase in which connection
 * factories do, and cannot be asked afterwards. Writes down what happens.
 */
class RecordingStore implements LeaseStore, SmartLifecycle, DisposableBean {

	final List<String> journal = new CopyOnWriteArrayList<>();

	final InMemoryLeaseStore leases;

	private volatile boolean running;

	RecordingStore() {
		this(new InMemoryLeaseStore());
	}

	RecordingStore(InMemoryLeaseStore leases) {
		this.leases = leases;
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
		write("acquire");
		return this.leases.acquire(candidacies);
	}

	@Override
	public List<RenewResult> renew(List<RenewRequest> renewals) {
		requireRunning();
		return this.leases.renew(renewals);
	}

	@Override
	public void release(List<Lease> released) {
		write("release");
		this.leases.release(released);
	}

	@Override
	public void transfer(Lease lease, String nodeId, Duration grace) {
		requireRunning();
		this.leases.transfer(lease, nodeId, grace);
	}

	@Override
	public Optional<LeaseView> read(String election) {
		requireRunning();
		return this.leases.read(election);
	}

	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		return this.leases.watch(wakeUps);
	}

	private void write(String call) {
		requireRunning();
		this.journal.add(call);
	}

	private void requireRunning() {
		if (!this.running) {
			throw new LeaseStoreException("The client has been stopped");
		}
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.journal.add("client stops");
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return 0;
	}

	@Override
	public void destroy() {
		this.journal.add("client is destroyed");
	}

}
