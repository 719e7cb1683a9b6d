package io.leaderelection.test.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.leaderelection.FencingToken;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * The store as one process reaches it, with the referee looking on.
 */
final class RefereedStore implements LeaseStore {

	private final LeaseStore store;

	private final LeaseStore truth;

	private final Referee referee;

	private final SimulatedProcess process;

	private @Nullable SimulatedNetwork network;

	private final List<FencingToken> lostTokens = new ArrayList<>();

	RefereedStore(LeaseStore store, LeaseStore truth, Referee referee, SimulatedProcess process) {
		this.store = store;
		this.truth = truth;
		this.referee = referee;
		this.process = process;
	}

	void hintsOver(SimulatedNetwork network) {
		this.network = network;
	}

	List<FencingToken> takeLostTokens() {
		List<FencingToken> taken = List.copyOf(this.lostTokens);
		this.lostTokens.clear();
		return taken;
	}

	/** The process has heard that these leaderships are over. */
	void heard(List<FencingToken> tokens) {
		if (!tokens.isEmpty()) {
			this.referee.heardOfLoss(this.process, tokens);
		}
	}

	/** The process is about to hear that it has lost its leases. */
	void sessionEnds() {
		this.referee.sessionEnds(this.process);
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
		List<AcquireRequest> creating = candidacies.stream()
			.filter((candidacy) -> candidacy.createIfAbsent() && this.truth.read(candidacy.election()).isEmpty())
			.toList();
		List<AcquireResult> results = this.store.acquire(candidacies);
		if (creating.stream().anyMatch((candidacy) -> this.truth.read(candidacy.election()).isPresent())) {
			this.referee.created();
		}
		for (int i = 0; i < results.size(); i++) {
			if (results.get(i) instanceof AcquireResult.Granted granted) {
				this.referee.granted(candidacies.get(i), granted);
			}
		}
		return results;
	}

	@Override
	public List<RenewResult> renew(List<RenewRequest> renewals) {
		List<Optional<LeaseView>> before = new ArrayList<>(renewals.size());
		for (RenewRequest renewal : renewals) {
			before.add(this.truth.read(renewal.lease().election()));
		}
		List<RenewResult> results = this.store.renew(renewals);
		for (int i = 0; i < results.size(); i++) {
			Lease lease = renewals.get(i).lease();
			if (results.get(i) instanceof RenewResult.Renewed) {
				this.referee.renewed(lease, before.get(i));
			}
			else if (results.get(i) instanceof RenewResult.Lost) {
				this.lostTokens.add(new FencingToken(lease.election(), lease.token()));
			}
		}
		return results;
	}

	@Override
	public void release(List<Lease> leases) {
		for (Lease lease : leases) {
			this.referee.givenUp(this.process, lease, this.truth.read(lease.election()));
		}
		this.store.release(leases);
	}

	@Override
	public void transfer(Lease lease, String nodeId, Duration grace) {
		this.referee.givenUp(this.process, lease, this.truth.read(lease.election()));
		this.store.transfer(lease, nodeId, grace);
	}

	@Override
	public Optional<LeaseView> read(String election) {
		return this.store.read(election);
	}

	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		return this.store.watch((this.network != null) ? this.network.overNetwork(wakeUps) : wakeUps);
	}

}
