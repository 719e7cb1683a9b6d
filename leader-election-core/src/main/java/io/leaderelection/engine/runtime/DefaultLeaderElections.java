package io.leaderelection.engine.runtime;

import io.leaderelection.engine.Callbacks;
import io.leaderelection.engine.ElectionEngine;
import io.leaderelection.engine.EngineLog;
import io.leaderelection.engine.NodeClock;
import io.leaderelection.engine.Waiting;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.Leadership;
import io.leaderelection.LeaderElector;
import io.leaderelection.Registration;
import io.leaderelection.StoreCall;
import io.leaderelection.Ineligibility;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;

/**
 * The engine with real clocks and threads: one for timers, one for the store, and one or
 * more for callbacks while there are any.
 */
public final class DefaultLeaderElections implements LeaderElections {

	private static final Duration STOP_SLACK = Duration.ofSeconds(1);

	private final ElectionEngine engine;

	private final ElectionSettings settings;

	private final ThreadTimers timers;

	public DefaultLeaderElections(LeaseStore store, String nodeId, ElectionSettings settings, Logger logger) {
		this(store, nodeId, settings, logger, (role) -> daemons(role, nodeId));
	}

	DefaultLeaderElections(LeaseStore store, String nodeId, ElectionSettings settings, Logger logger,
			Function<String, ThreadFactory> threads) {
		this.settings = settings;
		NodeClock clock = new SystemClock();
		this.timers = new ThreadTimers(threads.apply("leader-election-timer"));
		Callbacks callbacks = new CallbackThreads(threads.apply("leader-election-callback"), this.timers,
				(failure) -> logger.log(Level.ERROR, () -> "A leadership listener of '%s' failed".formatted(nodeId),
						failure));
		EngineLog log = new SystemEngineLog(logger, nodeId, callbacks.queue());
		StoreThread access = new StoreThread(store, clock, threads.apply("leader-election-store"));
		this.engine = new ElectionEngine(() -> new Owner(nodeId, UUID.randomUUID().toString()), clock, this.timers,
				access, callbacks, log, new SplittableRandom());
	}

	/**
	 * Threads are made when they are needed, by whoever happens to call. They take the
	 * class loader from here instead, and no thread-locals at all.
	 */
	private static ThreadFactory daemons(String role, String nodeId) {
		AtomicInteger made = new AtomicInteger();
		ClassLoader classLoader = Thread.currentThread().getContextClassLoader();
		return (task) -> {
			String name = "%s-%d (%s)".formatted(role, made.incrementAndGet(), nodeId);
			Thread thread = new Thread(null, task, name, 0, false);
			thread.setDaemon(true);
			thread.setContextClassLoader(classLoader);
			return thread;
		};
	}

	@Override
	public String nodeId() {
		return this.engine.nodeId();
	}

	@Override
	public LeaderElector elector(String election) {
		return find(election).orElseGet(() -> elector(election, this.settings));
	}

	@Override
	public LeaderElector elector(String election, ElectionSettings settings) {
		return this.engine.elector(election, settings);
	}

	@Override
	public Optional<LeaderElector> find(String election) {
		return this.engine.find(election).map(LeaderElector.class::cast);
	}

	@Override
	public Collection<LeaderElector> electors() {
		return List.copyOf(this.engine.electors());
	}

	@Override
	public Registration forEachElector(Consumer<LeaderElector> action) {
		return this.engine.forEachElector(action::accept);
	}

	@Override
	public Registration onWork(Consumer<Leadership> action) {
		return this.engine.onWork(action);
	}

	@Override
	public Registration onStoreCall(Consumer<StoreCall> action) {
		return this.engine.onStoreCall(action);
	}

	@Override
	public void start() {
		this.timers.startThread();
		this.engine.start();
	}

	@Override
	public CompletableFuture<Void> withdraw() {
		return this.engine.stop().copy();
	}

	@Override
	public void stop() {
		Waiting.atMost(this.engine.longestStop().plus(STOP_SLACK), this.engine.stop());
	}

	@Override
	public CompletableFuture<Void> declareIneligible(Ineligibility reason) {
		return this.engine.declareIneligible(Objects.requireNonNull(reason, "reason"));
	}

	@Override
	public void declareEligible(Ineligibility reason) {
		this.engine.declareEligible(Objects.requireNonNull(reason, "reason"));
	}

	@Override
	public boolean isRunning() {
		return this.engine.isRunning();
	}

	@Override
	public void close() {
		stop();
	}

}
