package io.leaderelection.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.leaderelection.ElectionSettings;
import io.leaderelection.Names;
import io.leaderelection.Registration;
import io.leaderelection.StoreCall;
import io.leaderelection.Unfitness;
import io.leaderelection.engine.StoreCalls.PendingRead;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * One node: its elections, one lock, one timer for whatever is due next, and one call to
 * the store at a time. The store's load grows with the number of nodes, not with that of
 * elections.
 */
public final class ElectionEngine {

	private static final long NEVER = Election.NEVER;

	/**
	 * A pending timer keeps the timer thread, which may not be possible to start again.
	 */
	private static final long LONGEST_IDLE = Duration.ofHours(1).toNanos();

	private final Object lock = new Object();

	private final Supplier<Owner> owners;

	private final NodeClock clock;

	private final Timers timers;

	private final StoreCalls calls;

	private final Callbacks callbacks;

	private final EngineLog log;

	private final Backoff backoff;

	private final StoreCallScheduler scheduler;

	private final WakeUpTimer timer;

	private final StoreWatch watch = new StoreWatch(this);

	private final Map<String, Election> elections = new LinkedHashMap<>();

	private final List<Consumer<? super DefaultLeaderElector>> newcomers = new ArrayList<>(0);

	private final Set<Unfitness> unfit = EnumSet.noneOf(Unfitness.class);

	private Owner owner;

	private boolean running;

	private boolean duplicateNodeId;

	private @Nullable CompletableFuture<Void> stopping;

	// Each is the earliest of all elections, or before it.

	private long validityEnds = NEVER;

	private long drainEnds = NEVER;

	/**
	 * A node that does nothing until it is started.
	 * @param owners who holds the leases of this node; asked at each start, since the
	 * process may have been saved in between, and brought back more than once
	 * @param clock this node's clocks
	 * @param timers run what is due later
	 * @param store makes the calls to the store
	 * @param callbacks run the user's code
	 * @param log told what people should read
	 * @param random spreads attempts in time; used under this engine's lock only
	 */
	public ElectionEngine(Supplier<Owner> owners, NodeClock clock, Timers timers, StoreAccess store,
			Callbacks callbacks, EngineLog log, RandomGenerator random) {
		this.owners = owners;
		this.owner = owners.get();
		this.clock = clock;
		this.timers = timers;
		this.calls = new StoreCalls(this, store, log, new StoreCallListeners(callbacks));
		this.callbacks = callbacks;
		this.log = log;
		this.backoff = new Backoff(random);
		this.timer = new WakeUpTimer(timers, this::enter);
		this.scheduler = new StoreCallScheduler(this.calls, this.elections.values(), this.watch);
	}

	/**
	 * This node's id.
	 * @return the id
	 */
	public String nodeId() {
		return this.owner.nodeId();
	}

	/**
	 * The elector of this election, made if there is none.
	 * @param name the election's name
	 * @param settings its settings
	 * @return the elector
	 * @throws IllegalStateException if it exists with other settings
	 */
	public DefaultLeaderElector elector(String name, ElectionSettings settings) {
		Names.requireValid("election", name);
		List<Consumer<? super DefaultLeaderElector>> interested = new ArrayList<>();
		DefaultLeaderElector elector = read(() -> {
			Election known = this.elections.get(name);
			if (known == null) {
				interested.addAll(this.newcomers);
				return add(new Election(this, name, settings)).elector();
			}
			if (!known.settings().equals(settings)) {
				throw new IllegalStateException(
						"The election '%s' exists with other settings: %s".formatted(name, known.settings()));
			}
			return known.elector();
		});
		interested.forEach((action) -> action.accept(elector));
		return elector;
	}

	private Election add(Election made) {
		this.elections.put(made.name(), made);
		if (stands()) {
			enter(made::start);
		}
		return made;
	}

	/**
	 * Runs the action for every elector, those made later included.
	 * @param action what to run, outside the lock
	 * @return closed to end it
	 */
	public Registration forEachElector(Consumer<? super DefaultLeaderElector> action) {
		Consumer<? super DefaultLeaderElector> own = action::accept;
		List<DefaultLeaderElector> present = read(() -> {
			this.newcomers.add(own);
			return electors();
		});
		present.forEach(action);
		return () -> read(() -> this.newcomers.remove(own));
	}

	/**
	 * Runs the action after every call to the store.
	 * @param action what to run, where it cannot hold up the engine
	 * @return closed to end it
	 */
	public Registration onStoreCall(Consumer<StoreCall> action) {
		Objects.requireNonNull(action, "action");
		StoreCallListeners listeners = this.calls.listeners();
		StoreCallListeners.Subscriber subscriber = read(() -> listeners.add(action));
		return () -> enter(() -> listeners.remove(subscriber));
	}

	/**
	 * The elector of this election.
	 * @param name the election's name
	 * @return the elector, if it has been made
	 */
	public Optional<DefaultLeaderElector> find(String name) {
		return read(() -> Optional.ofNullable(this.elections.get(name)).map(Election::elector));
	}

	/**
	 * All electors, in the order they were made.
	 * @return the electors
	 */
	public List<DefaultLeaderElector> electors() {
		return read(() -> this.elections.values().stream().map(Election::elector).toList());
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
				this.duplicateNodeId = false;
				this.owner = this.owners.get();
				this.watch.startAnew();
				this.calls.startAnew();
				this.scheduler.startAnew(now());
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
				this.scheduler.watch(NEVER);
				this.scheduler.takeReads().forEach((read) -> refuse(read.answer()));
				enter(() -> this.elections.values().forEach(Election::stop));
			}
			return (this.stopping != null) ? this.stopping : CompletableFuture.completedFuture(null);
		});
	}

	/**
	 * Has this node not stand while the reason lasts.
	 * @param reason why
	 * @return completed when the leases are given up, or left to expire, that the reason
	 * costs
	 */
	public CompletableFuture<Void> declareUnfit(Unfitness reason) {
		List<CompletableFuture<Boolean>> givenUp = new ArrayList<>();
		enter(() -> {
			this.unfit.add(reason);
			for (Election election : this.elections.values()) {
				CompletableFuture<Boolean> released = new CompletableFuture<>();
				givenUp.add(released);
				election.becomeUnfit(reason, released);
			}
		});
		return CompletableFuture.allOf(givenUp.toArray(CompletableFuture[]::new));
	}

	/**
	 * Has this node stand again, if that was the last reason not to.
	 * @param reason what is over
	 */
	public void declareFit(Unfitness reason) {
		enter(() -> {
			if (this.unfit.remove(reason) && this.unfit.isEmpty()) {
				this.elections.values().forEach((election) -> election.seeking().seek());
			}
		});
	}

	/**
	 * Whether this node stands for its elections.
	 * @return {@code true} from the start until everything has stopped
	 */
	public boolean isRunning() {
		return read(() -> this.running);
	}

	/**
	 * How long a stop takes at the most: the drain, what is left of the lease to begin a
	 * last release in, and the timeouts of that call and of the end of the watch.
	 * @return the time
	 */
	public Duration longestStop() {
		return read(() -> this.elections.values().stream().map(Election::settings).map((settings) -> {
			Duration calls = settings.callTimeout().multipliedBy(2);
			return settings.drainTimeout().plus(settings.leaseDuration()).plus(calls);
		}).max(Comparator.naturalOrder()).orElse(Duration.ZERO));
	}

	Collection<Election> elections() {
		return this.elections.values();
	}

	@Nullable Election election(String name) {
		return this.elections.get(name);
	}

	/** Whether this node is to stand, and not on its way to the end. */
	boolean stands() {
		return this.running && this.stopping == null;
	}

	StoreWatch watch() {
		return this.watch;
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

	Set<Unfitness> unfit() {
		return this.unfit;
	}

	/** Another process keeps renewing a lease under the id of this node. */
	void duplicateNodeId(String election) {
		if (!this.duplicateNodeId) {
			this.duplicateNodeId = true;
			this.log.duplicateNodeId(election);
		}
	}

	StoreCallScheduler scheduler() {
		return this.scheduler;
	}

	Backoff backoff() {
		return this.backoff;
	}

	Callbacks callbacks() {
		return this.callbacks;
	}

	StoreHealth storeHealth() {
		return this.calls.health();
	}

	/** Runs code that completes the user's futures, outside the lock. */
	void later(Runnable completion) {
		this.callbacks.queue().submit(completion, () -> {
		});
	}

	/** Runs an event of the engine itself, but not from within the present one. */
	void soon(Runnable event) {
		this.timers.schedule(0, event);
	}

	<T> T read(Supplier<T> reading) {
		synchronized (this.lock) {
			return reading.get();
		}
	}

	/**
	 * The one way in for everything that happens; whatever it does, the engine goes on.
	 */
	void enter(Runnable event) {
		synchronized (this.lock) {
			try {
				event.run();
			}
			finally {
				settle();
			}
		}
	}

	private void settle() {
		long now = now();
		try {
			doWhatIsDue(now);
		}
		finally {
			long call = this.calls.isIdle() ? this.scheduler.nextDue() : this.calls.deadline();
			long due = Math.min(call, Math.min(this.validityEnds, this.drainEnds));
			this.timer.setTo((due == NEVER && this.running) ? now + LONGEST_IDLE : due, now);
		}
	}

	private void doWhatIsDue(long now) {
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
		if (this.calls.isIdle() && !this.scheduler.callStore(now) && this.stopping != null) {
			finishStopping(this.stopping);
		}
	}

	private void finishStopping(CompletableFuture<Void> stopped) {
		if (this.scheduler.hasReleases() || !this.elections.values().stream().allMatch(Election::isQuiet)) {
			return;
		}
		if (this.watch.end(this.calls::close)) {
			return;
		}
		this.running = false;
		this.stopping = null;
		// nothing is due any more; a timer would keep its thread, and all that it knows
		this.validityEnds = NEVER;
		this.drainEnds = NEVER;
		this.scheduler.clear();
		this.elections.values().forEach((election) -> election.seeking().stopped());
		later(() -> stopped.complete(null));
	}

	void validityEnds(long end) {
		this.validityEnds = Math.min(this.validityEnds, end);
	}

	void drainEnds(long end) {
		this.drainEnds = Math.min(this.drainEnds, end);
	}

	CompletableFuture<List<String>> readCandidates(Election election) {
		CompletableFuture<List<String>> candidates = new CompletableFuture<>();
		enter(() -> {
			if (stands()) {
				this.scheduler.read(new PendingRead(election, candidates));
			}
			else {
				refuse(candidates);
			}
		});
		return candidates;
	}

	private void refuse(CompletableFuture<?> question) {
		later(() -> question.completeExceptionally(
				new IllegalStateException("The elections of '%s' are not running".formatted(nodeId()))));
	}

	/** How long a candidate waits at the most: hints may be lost, or never be given. */
	long longestLook(ElectionSettings settings) {
		return (this.watch.isOpen() ? settings.leaseDuration() : settings.renewInterval()).toNanos();
	}

}
