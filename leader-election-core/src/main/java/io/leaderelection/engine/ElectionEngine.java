package io.leaderelection.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.leaderelection.ElectionSettings;
import io.leaderelection.Names;
import io.leaderelection.Leadership;
import io.leaderelection.Registration;
import io.leaderelection.StoreCall;
import io.leaderelection.Ineligibility;
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

	private final EngineLock lock = new EngineLock(this::settle);

	private final NodeState node;

	private final Callbacks callbacks;

	private final EngineLog log;

	private final Backoff backoff;

	private final StoreHealth storeHealth;

	private final List<Consumer<StoreCall>> storeCallListeners = new ArrayList<>(0);

	private final StoreCallScheduler scheduler;

	private final StoreWatch watch;

	private final StoreCalls calls;

	private final WakeUpTimer timer;

	private final Map<String, Election> elections = new LinkedHashMap<>();

	private final List<Consumer<? super DefaultLeaderElector>> newcomers = new ArrayList<>(0);

	private @Nullable CompletableFuture<Void> stopping;

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
		this.node = new NodeState(owners, clock, log);
		this.callbacks = callbacks;
		this.log = log;
		this.backoff = new Backoff(random);
		this.storeHealth = new StoreHealth(log, clock);
		this.scheduler = new StoreCallScheduler(this.elections.values());
		this.watch = new StoreWatch(this.lock, this.node, this.elections, this.scheduler);
		this.calls = new StoreCalls(store, this.lock, clock, timers, this.scheduler, this.backoff, this.storeHealth,
				this.storeCallListeners);
		this.timer = new WakeUpTimer(timers, this.lock);
	}

	/**
	 * This node's id.
	 * @return the id
	 */
	public String nodeId() {
		return this.node.nodeId();
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
		DefaultLeaderElector elector = this.lock.read(() -> {
			Election known = this.elections.get(name);
			if (known == null) {
				interested.addAll(this.newcomers);
				return add(name, settings).elector();
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

	private Election add(String name, ElectionSettings settings) {
		Election made = new Election(name, settings, this.node, this.lock, this.scheduler, this.watch, this.storeHealth,
				this.backoff, this.callbacks, this.log);
		this.elections.put(name, made);
		if (this.node.isActive()) {
			this.lock.enter(made::start);
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
		List<DefaultLeaderElector> present = this.lock.read(() -> {
			this.newcomers.add(own);
			return electors();
		});
		present.forEach(action);
		return () -> this.lock.read(() -> this.newcomers.remove(own));
	}

	/**
	 * Runs the action after every call to the store.
	 * @param action what to run, where it cannot hold up the engine
	 * @return closed to end it
	 */
	public Registration onStoreCall(Consumer<StoreCall> action) {
		Objects.requireNonNull(action, "action");
		AtomicBoolean closed = new AtomicBoolean();
		Callbacks.Queue queue = this.callbacks.queue();
		Consumer<StoreCall> listener = (call) -> queue.submit(() -> {
			if (!closed.get()) {
				action.accept(call);
			}
		}, () -> {
		});
		this.lock.read(() -> this.storeCallListeners.add(listener));
		return () -> {
			closed.set(true);
			this.lock.read(() -> this.storeCallListeners.remove(listener));
		};
	}

	/**
	 * Runs the action whenever work begins under a leadership of this node.
	 * @param action what to run, on the thread that works
	 * @return closed to end it
	 */
	public Registration onWork(Consumer<Leadership> action) {
		Consumer<Leadership> own = action::accept;
		this.node.workListeners().add(own);
		return () -> this.node.workListeners().remove(own);
	}

	/**
	 * The elector of this election.
	 * @param name the election's name
	 * @return the elector, if it has been made
	 */
	public Optional<DefaultLeaderElector> find(String name) {
		return this.lock.read(() -> Optional.ofNullable(this.elections.get(name)).map(Election::elector));
	}

	/**
	 * All electors, in the order they were made.
	 * @return the electors
	 */
	public List<DefaultLeaderElector> electors() {
		return this.lock.read(() -> this.elections.values().stream().map(Election::elector).toList());
	}

	/**
	 * Begins to stand for all elections.
	 * @throws IllegalStateException if this node is still stopping
	 */
	public void start() {
		this.lock.enter(() -> {
			if (this.stopping != null) {
				throw new IllegalStateException("The elections of '%s' are still stopping".formatted(nodeId()));
			}
			if (!this.node.isRunning()) {
				this.node.started();
				this.watch.startAnew();
				this.calls.startAnew();
				this.scheduler.startAnew(this.node.now());
				this.elections.values().forEach(Election::start);
			}
		});
	}

	/**
	 * Steps down everywhere.
	 * @return completed when all leases are given up or left to expire
	 */
	public CompletableFuture<Void> stop() {
		return this.lock.read(() -> {
			if (!this.node.isRunning()) {
				return CompletableFuture.completedFuture(null);
			}
			if (this.stopping == null) {
				this.stopping = new CompletableFuture<>();
				this.node.stopping();
				this.scheduler.watch(NEVER);
				this.scheduler.takeReads()
					.forEach((read) -> read.election().readFailed(read.answer(), this.node.notRunning()));
				this.lock.enter(() -> this.elections.values().forEach(Election::stop));
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
	public CompletableFuture<Void> declareIneligible(Ineligibility reason) {
		List<CompletableFuture<Boolean>> givenUp = new ArrayList<>();
		this.lock.enter(() -> {
			this.node.ineligible().add(reason);
			for (Election election : this.elections.values()) {
				CompletableFuture<Boolean> released = new CompletableFuture<>();
				givenUp.add(released);
				election.becomeIneligible(reason, released);
			}
		});
		return CompletableFuture.allOf(givenUp.toArray(CompletableFuture[]::new));
	}

	/**
	 * Has this node stand again, if that was the last reason not to.
	 * @param reason what is over
	 */
	public void declareEligible(Ineligibility reason) {
		this.lock.enter(() -> {
			if (this.node.ineligible().remove(reason) && this.node.isEligible()) {
				this.elections.values().forEach((election) -> election.candidate().seek());
			}
		});
	}

	/**
	 * Whether this node stands for its elections.
	 * @return {@code true} from the start until everything has stopped
	 */
	public boolean isRunning() {
		return this.lock.read(this.node::isRunning);
	}

	/**
	 * How long a stop takes at the most: the drain, what is left of the lease to begin a
	 * last release in, and the timeouts of that call and of the end of the watch.
	 * @return the time
	 */
	public Duration longestStop() {
		return this.lock.read(() -> this.elections.values().stream().map(Election::settings).map((settings) -> {
			Duration calls = settings.callTimeout().multipliedBy(2);
			return settings.drainTimeout().plus(settings.leaseDuration()).plus(calls);
		}).max(Comparator.naturalOrder()).orElse(Duration.ZERO));
	}

	private void settle() {
		long now = this.node.now();
		try {
			doWhatIsDue(now);
		}
		finally {
			long call = this.calls.isIdle() ? this.scheduler.nextCallDue() : this.calls.deadline();
			long due = Math.min(call, this.scheduler.nextDeadline());
			this.timer.setTo((due == NEVER && this.node.isRunning()) ? now + LONGEST_IDLE : due, now);
		}
	}

	private void doWhatIsDue(long now) {
		this.calls.giveUpIfOverdue(now);
		this.scheduler.checkDeadlines(now);
		if (this.calls.isIdle() && !this.scheduler.callStore(this.calls, this.watch, now) && this.stopping != null) {
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
		this.node.stopped();
		this.stopping = null;
		this.scheduler.clear();
		this.elections.values().forEach((election) -> election.candidate().stopped());
		this.callbacks.complete(stopped, null);
	}

}
