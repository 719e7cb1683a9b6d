package io.leaderelection.engine;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.Renewal;
import io.leaderelection.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the one lease of a {@link Rehearsal}, which never ends by itself.
 */
final class RehearsalStore implements LeaseStore {

	private final List<WakeUps> watchers = new CopyOnWriteArrayList<>();

	private long token;

	private @Nullable Lease held;

	@Override
	public synchronized List<AcquireResult> acquire(List<Candidacy> candidacies) {
		Candidacy candidacy = candidacies.get(0);
		Lease present = this.held;
		if (present != null) {
			return List.of(new AcquireResult.Held(Optional.of(present.owner().nodeId()), present.token(),
					present.duration(), present.duration()));
		}
		this.token++;
		this.held = new Lease(candidacy.election(), candidacy.owner(), this.token, candidacy.duration());
		return List.of(new AcquireResult.Granted(this.token, candidacy.duration()));
	}

	@Override
	public List<RenewResult> renew(List<Renewal> renewals) {
		return List.of(new RenewResult.Renewed(renewals.get(0).lease().duration()));
	}

	@Override
	public void release(List<Lease> leases) {
		synchronized (this) {
			this.held = null;
		}
		for (WakeUps watcher : this.watchers) {
			watcher.wakeUp(leases.get(0).election());
		}
	}

	@Override
	public void transfer(Lease lease, String nodeId, Duration grace) {
		release(List.of(lease));
	}

	@Override
	public Optional<LeaseView> read(String election) {
		return Optional.empty();
	}

	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		this.watchers.add(wakeUps);
		return Optional.of(() -> this.watchers.remove(wakeUps));
	}

}
