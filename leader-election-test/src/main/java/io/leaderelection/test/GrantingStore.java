package io.leaderelection.test;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.leaderelection.FencingToken;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;

/**
 * Grants what the test allows, and lets no lease end by itself.
 */
final class GrantingStore implements LeaseStore {

	private static final Owner ANOTHER = new Owner("another-node", "its-only-run");

	private static final Duration FOR_LONG = Duration.ofDays(1);

	private final Set<String> allowed = new HashSet<>();

	private final Map<String, Owner> holders = new HashMap<>();

	private final Map<String, Long> tokens = new HashMap<>();

	synchronized void allow(String election) {
		this.allowed.add(election);
		this.holders.remove(election, ANOTHER);
	}

	synchronized void disallow(String election) {
		this.allowed.remove(election);
		this.holders.remove(election);
	}

	synchronized FencingToken overtake(String election) {
		this.allowed.remove(election);
		this.holders.put(election, ANOTHER);
		return new FencingToken(election, this.tokens.merge(election, 1L, Long::sum));
	}

	@Override
	public synchronized List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
		return candidacies.stream().map(this::acquire).toList();
	}

	private AcquireResult acquire(AcquireRequest candidacy) {
		String election = candidacy.election();
		long newest = this.tokens.getOrDefault(election, 0L);
		if (!this.allowed.contains(election)) {
			return new AcquireResult.Held(Optional.ofNullable(this.holders.get(election)).map(Owner::nodeId), newest,
					FOR_LONG, candidacy.duration());
		}
		if (!candidacy.owner().equals(this.holders.put(election, candidacy.owner()))
				|| newest <= candidacy.tokenFloor()) {
			newest = Math.max(newest, candidacy.tokenFloor()) + 1;
			this.tokens.put(election, newest);
		}
		return new AcquireResult.Granted(newest, candidacy.duration());
	}

	@Override
	public synchronized List<RenewResult> renew(List<RenewRequest> renewals) {
		return renewals.stream()
			.map((renewal) -> holds(renewal.lease()) ? new RenewResult.Renewed(renewal.lease().duration())
					: (RenewResult) new RenewResult.Lost())
			.toList();
	}

	@Override
	public synchronized void release(List<Lease> leases) {
		leases.stream().filter(this::holds).map(Lease::election).forEach(this::disallow);
	}

	@Override
	public synchronized void transfer(Lease lease, String nodeId, Duration grace) {
		release(List.of(lease));
	}

	private boolean holds(Lease lease) {
		return lease.owner().equals(this.holders.get(lease.election()))
				&& lease.token() == this.tokens.getOrDefault(lease.election(), 0L);
	}

	@Override
	public synchronized Optional<LeaseView> read(String election) {
		Long token = this.tokens.get(election);
		if (token == null) {
			return Optional.empty();
		}
		Optional<Owner> holder = Optional.ofNullable(this.holders.get(election));
		return Optional.of(new LeaseView(holder, token, holder.isPresent() ? FOR_LONG : Duration.ZERO, List.of()));
	}

}
