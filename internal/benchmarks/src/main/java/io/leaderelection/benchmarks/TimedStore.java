package io.leaderelection.benchmarks;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.WakeUps;

/**
 * One node's way to a store, which notes how late each renewal is sent. A renewal is due
 * one renew interval after the lease was last asked for, or renewed, with success.
 */
final class TimedStore implements LeaseStore {

	private final LeaseStore store;

	private final long renewInterval;

	private final Map<String, Due> dues = new HashMap<>();

	private long[] lateness = new long[1 << 10];

	private int renewals;

	private int renewCalls;

	private int acquireCalls;

	private long longestCall;

	/**
	 * Times the calls to a store.
	 * @param store the store
	 * @param elections whose renewals are timed; known before, so that the memory for it
	 * is not mistaken for theirs
	 * @param renewInterval how often the leader should renew
	 */
	TimedStore(LeaseStore store, List<String> elections, Duration renewInterval) {
		this.store = store;
		this.renewInterval = renewInterval.toNanos();
		elections.forEach((election) -> this.dues.put(election, new Due()));
	}

	/**
	 * Takes what was noted so far. A renewal that is overdue now counts as sent now, so
	 * that one that never comes is not overlooked.
	 * @return the notes
	 */
	synchronized Timings timings() {
		long now = System.nanoTime();
		long[] overdue = this.dues.values()
			.stream()
			.filter((due) -> due.known && due.at < now)
			.mapToLong((due) -> now - due.at)
			.toArray();
		long[] all = Arrays.copyOf(this.lateness, this.renewals + overdue.length);
		System.arraycopy(overdue, 0, all, this.renewals, overdue.length);
		Arrays.sort(all);
		return new Timings(all, this.renewCalls, this.acquireCalls, Duration.ofNanos(this.longestCall));
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
		long sentAt = System.nanoTime();
		List<AcquireResult> results = this.store.acquire(candidacies);
		acquired(candidacies, results, sentAt);
		return results;
	}

	private synchronized void acquired(List<AcquireRequest> candidacies, List<AcquireResult> results, long sentAt) {
		this.acquireCalls++;
		answered(sentAt);
		for (int i = 0; i < results.size(); i++) {
			if (results.get(i) instanceof AcquireResult.Granted) {
				due(candidacies.get(i).election()).set(sentAt + this.renewInterval);
			}
		}
	}

	@Override
	public List<RenewResult> renew(List<RenewRequest> renewals) {
		long sentAt = System.nanoTime();
		List<RenewResult> results = this.store.renew(renewals);
		renewed(renewals, results, sentAt);
		return results;
	}

	private synchronized void renewed(List<RenewRequest> renewals, List<RenewResult> results, long sentAt) {
		this.renewCalls++;
		answered(sentAt);
		for (int i = 0; i < results.size(); i++) {
			Due due = due(renewals.get(i).lease().election());
			note(sentAt - due.at);
			if (results.get(i) instanceof RenewResult.Renewed) {
				due.set(sentAt + this.renewInterval);
			}
		}
	}

	private Due due(String election) {
		return this.dues.computeIfAbsent(election, (name) -> new Due());
	}

	private void answered(long sentAt) {
		this.longestCall = Math.max(this.longestCall, System.nanoTime() - sentAt);
	}

	private void note(long late) {
		if (this.renewals == this.lateness.length) {
			this.lateness = Arrays.copyOf(this.lateness, this.renewals * 2);
		}
		this.lateness[this.renewals++] = late;
	}

	@Override
	public void release(List<Lease> leases) {
		this.store.release(leases);
	}

	@Override
	public void transfer(Lease lease, String nodeId, Duration grace) {
		this.store.transfer(lease, nodeId, grace);
	}

	@Override
	public Optional<LeaseView> read(String election) {
		return this.store.read(election);
	}

	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		return this.store.watch(wakeUps);
	}

	/**
	 * When the next renewal of a lease is due, once it has been granted.
	 */
	private static final class Due {

		private boolean known;

		private long at;

		private void set(long at) {
			this.known = true;
			this.at = at;
		}

	}

	/**
	 * What was noted.
	 *
	 * @param lateness of each renewal in nanoseconds, sorted; negative when it was early
	 * @param renewCalls how many calls to the store the renewals took
	 * @param acquireCalls how many calls asked for leases
	 * @param longestCall how long the store took at the most
	 */
	record Timings(long[] lateness, int renewCalls, int acquireCalls, Duration longestCall) {

		double shareWithin(Duration tolerance) {
			long onTime = Arrays.stream(this.lateness).filter((late) -> late <= tolerance.toNanos()).count();
			return (this.lateness.length > 0) ? (double) onTime / this.lateness.length : 0;
		}

		Duration percentile(double percent) {
			if (this.lateness.length == 0) {
				throw new IllegalStateException("No renewal was timed");
			}
			int rank = (int) Math.ceil(percent / 100 * this.lateness.length);
			return Duration.ofNanos(Math.max(0, this.lateness[Math.max(rank, 1) - 1]));
		}

	}

}
