package io.leaderelection.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.engine.StoreCalls.PendingRead;
import io.leaderelection.engine.StoreCalls.PendingRelease;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.RenewRequest;

/**
 * What is due next in a node. Of the calls to the store: first what others wait for, then
 * what keeps its own leaderships, then the rest. What is due together, or soon enough,
 * goes together, up to a number that every store can manage before the call times out: of
 * thousands that fail together none would ever succeed. After a lease was given up,
 * something else has its turn: many that cannot be given up must not cost those that are
 * held.
 *
 * <p>
 * Each due time is the earliest of all elections, or before it: to look once too often is
 * cheaper than to keep thousands of timers exact.
 */
final class StoreCallScheduler {

	static final int MOST_TOGETHER = 1000;

	private static final long NEVER = Election.NEVER;

	private final Collection<Election> elections;

	private final List<DueRelease> releases = new ArrayList<>();

	private final Deque<PendingRead> reads = new ArrayDeque<>();

	private final Deque<Watch> closing = new ArrayDeque<>();

	private boolean gaveUp;

	private long releaseDue = NEVER;

	private long renewDue = NEVER;

	private long lookDue = NEVER;

	private long watchDue = NEVER;

	private long validityEnds = NEVER;

	private long drainEnds = NEVER;

	StoreCallScheduler(Collection<Election> elections) {
		this.elections = elections;
	}

	void release(PendingRelease release, long due) {
		this.releases.add(new DueRelease(release, due));
		this.releaseDue = Math.min(this.releaseDue, due);
	}

	void renew(long due) {
		this.renewDue = Math.min(this.renewDue, due);
	}

	void look(long due) {
		this.lookDue = Math.min(this.lookDue, due);
	}

	void watch(long due) {
		this.watchDue = due;
	}

	void validityEnds(long end) {
		this.validityEnds = Math.min(this.validityEnds, end);
	}

	void drainEnds(long end) {
		this.drainEnds = Math.min(this.drainEnds, end);
	}

	void read(PendingRead read) {
		this.reads.add(read);
	}

	/** Nobody is to be asked any more. */
	List<PendingRead> takeReads() {
		List<PendingRead> taken = List.copyOf(this.reads);
		this.reads.clear();
		return taken;
	}

	void close(Watch watch) {
		this.closing.add(watch);
	}

	/**
	 * No election of this node holds or wants a lease. A timer would keep its thread, and
	 * all that it refers to.
	 */
	void clear() {
		this.renewDue = NEVER;
		this.lookDue = NEVER;
		this.validityEnds = NEVER;
		this.drainEnds = NEVER;
	}

	/** What was due by a clock that may have jumped since is due now. */
	void startAnew(long now) {
		this.releases.replaceAll((planned) -> new DueRelease(planned.release, now));
		this.releaseDue = this.releases.isEmpty() ? NEVER : now;
		this.watchDue = now;
	}

	boolean hasReleases() {
		return !this.releases.isEmpty();
	}

	/** Whether this operation is planned, now or later. */
	boolean plans(Operation operation) {
		return switch (operation) {
			case RENEW -> this.renewDue != NEVER;
			case ACQUIRE -> this.lookDue != NEVER;
			case WATCH -> this.watchDue != NEVER;
			case RELEASE, TRANSFER -> hasReleases();
			case READ, UNWATCH -> false;
		};
	}

	/** When a validity or a drain ends that the elections have to know of. */
	long nextDeadline() {
		return Math.min(this.validityEnds, this.drainEnds);
	}

	void checkDeadlines(long now) {
		if (this.validityEnds <= now) {
			this.validityEnds = NEVER;
			for (Election election : this.elections) {
				this.validityEnds = Math.min(this.validityEnds, election.leader().validityEnds());
			}
		}
		if (this.drainEnds <= now) {
			this.drainEnds = NEVER;
			for (Election election : this.elections) {
				this.drainEnds = Math.min(this.drainEnds, election.leader().drainEnds(now));
			}
		}
	}

	/**
	 * The timeout of a call: the shortest of all elections of this node, also of those
	 * that are not part of the call. Only one call is under way at a time, and the
	 * renewal of a short lease may be waiting for it.
	 */
	Duration callTimeout() {
		return this.elections.stream()
			.map((election) -> election.settings().callTimeout())
			.min(Comparator.naturalOrder())
			.orElse(Duration.ofSeconds(2));
	}

	long nextCallDue() {
		return Math.min(Math.min(this.releaseDue, this.renewDue), Math.min(this.lookDue, this.watchDue));
	}

	/** Makes the next call that is due, if any. */
	boolean callStore(StoreCalls calls, StoreWatch watch, long now) {
		boolean othersFirst = this.gaveUp;
		this.gaveUp = false;
		if (othersFirst && keepAndSeek(calls, watch, now)) {
			return true;
		}
		if (this.releaseDue <= now) {
			this.gaveUp = true;
			giveUp(calls, now);
			return true;
		}
		return !othersFirst && keepAndSeek(calls, watch, now);
	}

	private boolean keepAndSeek(StoreCalls calls, StoreWatch watch, long now) {
		if (this.renewDue <= now && renewAll(calls, now)) {
			return true;
		}
		if (this.lookDue <= now && acquireAll(calls, now)) {
			return true;
		}
		if (this.watchDue <= now) {
			this.watchDue = NEVER;
			calls.watch(watch);
			return true;
		}
		if (!this.reads.isEmpty()) {
			calls.read(this.reads.remove());
			return true;
		}
		if (!this.closing.isEmpty()) {
			calls.close(this.closing.remove());
			return true;
		}
		return false;
	}

	/** Leases that anybody may take go in one call, one with a target by itself. */
	private void giveUp(StoreCalls calls, long now) {
		PendingRelease first = this.releases.stream()
			.filter((planned) -> planned.due <= now)
			.findFirst()
			.orElseThrow().release;
		String target = first.target();
		Predicate<DueRelease> together = (planned) -> (target != null) ? planned.release == first
				: planned.release.target() == null;
		Set<DueRelease> batch = this.releases.stream()
			.filter(together)
			.limit(MOST_TOGETHER)
			.collect(Collectors.toCollection(LinkedHashSet::new));
		this.releases.removeIf(batch::contains);
		this.releaseDue = this.releases.stream().mapToLong(DueRelease::due).min().orElse(NEVER);
		if (target != null) {
			calls.transfer(first, target);
		}
		else {
			calls.release(batch.stream().map(DueRelease::release).toList());
		}
	}

	private boolean renewAll(StoreCalls calls, long now) {
		this.renewDue = earliest((election) -> election.leader().renewDue());
		if (this.renewDue > now) {
			return false;
		}
		List<Election> renewing = new ArrayList<>();
		List<RenewRequest> renewals = new ArrayList<>();
		for (Election election : first((each) -> each.leader().renewsWith(now), (each) -> each.leader().renewDue())) {
			RenewRequest renewal = election.leader().beginRenewing(now);
			if (renewal != null) {
				renewing.add(election);
				renewals.add(renewal);
			}
		}
		this.renewDue = earliest((election) -> election.leader().renewDue());
		if (!renewals.isEmpty()) {
			calls.renew(renewing, renewals);
		}
		return !renewals.isEmpty();
	}

	private boolean acquireAll(StoreCalls calls, long now) {
		this.lookDue = earliest((election) -> election.candidate().lookDue());
		if (this.lookDue > now) {
			return false;
		}
		List<Election> acquiring = first((election) -> election.candidate().looksWith(now),
				(election) -> election.candidate().lookDue());
		List<AcquireRequest> candidacies = acquiring.stream().map((election) -> election.candidate().ask()).toList();
		this.lookDue = earliest((election) -> election.candidate().lookDue());
		calls.acquire(acquiring, candidacies);
		return true;
	}

	private long earliest(ToLongFunction<Election> due) {
		return this.elections.stream().mapToLong(due).min().orElse(NEVER);
	}

	/** Those that were due first, so that each of many has its turn. */
	private List<Election> first(Predicate<Election> together, ToLongFunction<Election> due) {
		List<Election> all = this.elections.stream().filter(together).toList();
		return (all.size() <= MOST_TOGETHER) ? all
				: all.stream().sorted(Comparator.comparingLong(due)).limit(MOST_TOGETHER).toList();
	}

	/**
	 * A lease to be given up, and when: now, or again after a failure.
	 */
	private record DueRelease(PendingRelease release, long due) {
	}

}
