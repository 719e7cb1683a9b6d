package io.leaderelection.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.leaderelection.ElectionSettings;
import io.leaderelection.Names;
import io.leaderelection.engine.StoreCalls.PendingRead;
import io.leaderelection.engine.StoreCalls.PendingRelease;
import io.leaderelection.engine.Timers.Timer;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.Owner;
import io.leaderelection.store.Renewal;
import io.leaderelection.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * One node: its elections, one alarm for whatever is due next, and one call to the store
 * at a time. What is due together goes to the store together, so that its load grows with
 * the number of nodes and not with that of elections.
 */
public final class ElectionEngine {

	private static final long NEVER = Election.NEVER;

	/** A part of the lease over which candidates spread their attempts at its end. */
	private static final int JITTER_PART = 200;

	private final Object lock = new Object();

	private final Owner owner;

	private final NodeClock clock;

	private final Timers timers;

	private final StoreCalls calls;

	private final Callbacks callbacks;

	private final EngineLog log;

	private final RandomGenerator random;

	private final Map<String, Election> elections = new LinkedHashMap<>();

	private boolean running;

	private @Nullable CompletableFuture<Void> stopping;

	private @Nullable Watch watch;

	private final Deque<Watch> surplusWatches = new ArrayDeque<>();

	private final Deque<PendingRelease> releases = new ArrayDeque<>();

	private final Deque<PendingRead> reads = new ArrayDeque<>();

	// Each of these is the earliest moment, or before it: to look once too often is
	// cheaper than to keep thousands of timers exact.

	private long releaseDue = NEVER;

	private long renewDue = NEVER;

	private long lookDue = NEVER;

	private long watchDue = NEVER;

	private long validityEnds = NEVER;

	private long drainEnds = NEVER;

	private @Nullable Timer alarm;

	private long alarmAt = NEVER;

	/**
	 * A node that does nothing until it is started.
	 * @param owner who holds the leases of this node
	 * @param clock this node's clocks
	 * @param timers run what is due later
	 * @param store makes the calls to the store
	 * @param callbacks run the user's code
	 * @param log told what people should read
	 * @param random spreads attempts in time; used under this engine's lock only
	 */
	public ElectionEngine(Owner owner, NodeClock clock, Timers timers, StoreAccess store, Callbacks callbacks,
			EngineLog log, RandomGenerator random) {
		this.owner = owner;
		this.clock = clock;
		this.timers = timers;
		this.calls = new StoreCalls(this, store);
		this.callbacks = callbacks;
		this.log = log;
		this.random = random;
	}

	/**
	 * This node's id.
	 * @return the id
	 */
	public String nodeId() {
		return this.owner.nodeId();
	}

	/**
	 * The election of this name, made if there is none.
	 * @param name the name
	 * @param settings its settings, if it is made
	 * @return the election
	 */
	public Election election(String name, ElectionSettings settings) {
		Names.requireValid("election", name);
		return read(() -> {
			Election known = this.elections.get(name);
			if (known != null) {
				return known;
			}
			Election made = new Election(this, name, settings);
			this.elections.put(name, made);
			if (this.running && this.stopping == null) {
				enter(made::start);
			}
			return made;
		});
	}

	/**
	 * The election of this name.
	 * @param name the name
	 * @return the election, if it has been made
	 */
	public Optional<Election> find(String name) {
		return read(() -> Optional.ofNullable(this.elections.get(name)));
	}

	/**
	 * All elections, in the order they were made.
	 * @return the elections
	 */
	public Collection<Election> elections() {
		return read(() -> List.copyOf(this.elections.values()));
	}

	/**
	 * Begins to stand for all elections.
	 * @throws IllegalStateException if this node is still stopping
	 */
	public void start() {
		enter(() -> {
			if (this.stopping != null) {
				throw new IllegalStateException("The elections of '%s' are still stopping".formatted(nodeId()));
			}
			if (!this.running) {
				this.running = true;
				this.watchDue = now();
				this.elections.values().forEach(Election::start);
			}
		});
	}

	/**
	 * Steps down everywhere.
	 * @return completed when all leases are given up or left to expire
	 */
	public CompletableFuture<Void> stop() {
		return read(() -> {
			if (!this.running) {
				return CompletableFuture.completedFuture(null);
			}
			if (this.stopping == null) {
				this.stopping = new CompletableFuture<>();
				this.watchDue = NEVER;
				enter(() -> this.elections.values().forEach(Election::stop));
			}
			return (this.stopping != null) ? this.stopping : CompletableFuture.completedFuture(null);
		});
	}

	/**
	 * Whether this node stands for its elections.
	 * @return {@code true} from the start until everything has stopped
	 */
	public boolean isRunning() {
		return read(() -> this.running);
	}

	NodeClock clock() {
		return this.clock;
	}

	long now() {
		return this.clock.nanos();
	}

	Owner owner() {
		return this.owner;
	}

	EngineLog log() {
		return this.log;
	}

	Callbacks callbacks() {
		return this.callbacks;
	}

	int failures() {
		return this.calls.failures();
	}

	Optional<String> lastError() {
		return this.calls.lastError();
	}

	/** Runs code that completes the user's futures, outside the lock. */
	void later(Runnable completion) {
		this.callbacks.queue().submit(completion, () -> {
		});
	}

	<T> T read(Supplier<T> reading) {
		synchronized (this.lock) {
			return reading.get();
		}
	}

	/** The one way in for everything that happens. */
	void enter(Runnable event) {
		synchronized (this.lock) {
			event.run();
			settle();
		}
	}

	private void settle() {
		long now = now();
		this.calls.giveUpIfOverdue(now);
		if (this.validityEnds <= now) {
			this.validityEnds = NEVER;
			for (Election election : this.elections.values()) {
				this.validityEnds = Math.min(this.validityEnds, election.validityEnds());
			}
		}
		if (this.drainEnds <= now) {
			this.drainEnds = NEVER;
			for (Election election : this.elections.values()) {
				this.drainEnds = Math.min(this.drainEnds, election.drainEnds(now));
			}
		}
		if (this.running && this.calls.isIdle()) {
			callStore(now);
		}
		arm(now);
	}

	private void callStore(long now) {
		if (this.releaseDue <= now) {
			giveUp();
		}
		else if (!(this.renewDue <= now && renew(now)) && !(this.lookDue <= now && acquire(now))) {
			if (this.watchDue <= now) {
				this.watchDue = NEVER;
				this.calls.watch(this.wakeUps);
			}
			else if (!this.reads.isEmpty()) {
				this.calls.read(this.reads.poll());
			}
			else if (!this.surplusWatches.isEmpty()) {
				this.calls.close(this.surplusWatches.poll());
			}
			else if (this.stopping != null) {
				finishStopping(this.stopping);
			}
		}
	}

	/** All leases that anybody may take go in one call, one with a target by itself. */
	private void giveUp() {
		PendingRelease first = this.releases.remove();
		String target = first.target();
		if (target != null) {
			this.calls.transfer(first, target);
		}
		else {
			List<PendingRelease> batch = new ArrayList<>(List.of(first));
			this.releases.stream().filter((release) -> release.target() == null).forEach(batch::add);
			this.releases.removeAll(batch);
			this.calls.release(batch);
		}
		this.releaseDue = this.releases.isEmpty() ? NEVER : now();
	}

	private boolean renew(long now) {
		this.renewDue = NEVER;
		for (Election election : this.elections.values()) {
			this.renewDue = Math.min(this.renewDue, election.renewDue());
		}
		if (this.renewDue > now) {
			return false;
		}
		this.renewDue = NEVER;
		List<Election> renewing = new ArrayList<>();
		List<Renewal> renewals = new ArrayList<>();
		for (Election election : this.elections.values()) {
			Renewal renewal = election.renewsWith(now) ? election.beginRenewing(now) : null;
			if (renewal != null) {
				renewing.add(election);
				renewals.add(renewal);
			}
			this.renewDue = Math.min(this.renewDue, election.renewDue());
		}
		if (!renewals.isEmpty()) {
			this.calls.renew(renewing, renewals);
		}
		return !renewals.isEmpty();
	}

	private boolean acquire(long now) {
		this.lookDue = NEVER;
		for (Election election : this.elections.values()) {
			this.lookDue = Math.min(this.lookDue, election.lookDue());
		}
		if (this.lookDue > now) {
			return false;
		}
		this.lookDue = NEVER;
		List<Election> acquiring = new ArrayList<>();
		List<Candidacy> candidacies = new ArrayList<>();
		for (Election election : this.elections.values()) {
			if (election.looksWith(now)) {
				acquiring.add(election);
				candidacies.add(election.beginAcquiring());
			}
			this.lookDue = Math.min(this.lookDue, election.lookDue());
		}
		this.calls.acquire(acquiring, candidacies);
		return true;
	}

	private void finishStopping(CompletableFuture<Void> stopped) {
		if (!this.releases.isEmpty() || !this.elections.values().stream().allMatch(Election::isQuiet)) {
			return;
		}
		Watch open = this.watch;
		if (open != null) {
			this.watch = null;
			this.calls.close(open);
			return;
		}
		this.running = false;
		this.stopping = null;
		later(() -> stopped.complete(null));
	}

	private void arm(long now) {
		long next = this.calls.deadline();
		if (this.running) {
			next = Math.min(next, Math.min(this.validityEnds, this.drainEnds));
			if (this.calls.isIdle()) {
				next = Math.min(next, Math.min(this.releaseDue, this.renewDue));
				next = Math.min(next, Math.min(this.lookDue, this.watchDue));
			}
		}
		if (next == this.alarmAt) {
			return;
		}
		if (this.alarm != null) {
			this.alarm.cancel();
		}
		this.alarmAt = next;
		this.alarm = (next != NEVER) ? this.timers.schedule(Math.max(0, next - now), this::ring) : null;
	}

	private void ring() {
		synchronized (this.lock) {
			this.alarm = null;
			this.alarmAt = NEVER;
			settle();
		}
	}

	private final WakeUps wakeUps = new WakeUps() {

		@Override
		public void wakeUp(String name) {
			enter(() -> {
				Election woken = ElectionEngine.this.elections.get(name);
				if (woken != null) {
					woken.wakeUp(now());
				}
			});
		}

		@Override
		public void wakeUpAll() {
			enter(() -> {
				for (Election election : ElectionEngine.this.elections.values()) {
					election.wakeUp(now());
				}
			});
		}

	};

	void lookDue(long due) {
		this.lookDue = Math.min(this.lookDue, due);
	}

	void renewDue(long due) {
		this.renewDue = Math.min(this.renewDue, due);
	}

	void validityEnds(long end) {
		this.validityEnds = Math.min(this.validityEnds, end);
	}

	void drainEnds(long end) {
		this.drainEnds = Math.min(this.drainEnds, end);
	}

	/** Gives up a lease at the end of a leadership. */
	void release(PendingRelease release, long due) {
		this.releases.add(release);
		this.releaseDue = Math.min(this.releaseDue, due);
	}

	CompletableFuture<List<String>> readCandidates(Election election) {
		CompletableFuture<List<String>> candidates = new CompletableFuture<>();
		enter(() -> {
			if (this.running && this.stopping == null) {
				this.reads.add(new PendingRead(election, candidates));
			}
			else {
				later(() -> candidates.completeExceptionally(
						new IllegalStateException("The elections of '%s' are not running".formatted(nodeId()))));
			}
		});
		return candidates;
	}

	void watching(Optional<Watch> opened) {
		if (opened.isEmpty()) {
			return;
		}
		if (this.watch == null && this.running && this.stopping == null) {
			this.watch = opened.get();
		}
		else {
			this.surplusWatches.add(opened.get());
		}
	}

	void watchFailed(long retryAt) {
		if (this.watch == null && this.running && this.stopping == null) {
			this.watchDue = retryAt;
		}
	}

	/** The spread of attempts at the end of a lease. */
	long jitter(ElectionSettings settings) {
		return this.random.nextLong(settings.leaseDuration().toNanos() / JITTER_PART + 1);
	}

	/** How long a candidate waits at the most: hints may be lost, or never be given. */
	long longestLook(ElectionSettings settings) {
		return ((this.watch != null) ? settings.leaseDuration() : settings.renewInterval()).toNanos();
	}

	/**
	 * When to repeat a call that failed: soon at first, then within the renew interval.
	 */
	long retryAt(ElectionSettings settings) {
		long first = settings.leaseDuration().toNanos() / 100;
		long longest = settings.renewInterval().toNanos() / 2;
		int doublings = Math.max(0, Math.min(failures() - 1, 20));
		long delay = Math.max(1, Math.min(longest, first << doublings));
		return now() + delay / 2 + this.random.nextLong(delay / 2 + 1);
	}

}
