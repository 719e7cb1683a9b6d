package io.leaderelection.test.simulation;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.Ineligibility;
import io.leaderelection.Leadership;
import io.leaderelection.OnLoss;
import io.leaderelection.Work;
import io.leaderelection.engine.Callbacks;
import io.leaderelection.engine.DefaultLeaderElector;
import io.leaderelection.engine.ElectionEngine;
import io.leaderelection.engine.NodeClock;
import io.leaderelection.engine.StoreAccess;
import io.leaderelection.engine.Timers;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * One run of a node's process: a real engine in a simulated world, with listeners and
 * guarded work.
 */
final class SimulatedProcess {

	private final World world;

	private final Weather weather;

	private final Referee referee;

	private final Tampering tampering;

	private final SimulatedNode node;

	private Owner owner;

	private final ElectionEngine engine;

	private final SimulatedNetwork network;

	private final DefaultLeaderElector[] elections;

	private final Probe[][] probes;

	private final Map<FencingToken, Integer> inFlight = new HashMap<>();

	private final Set<FencingToken> ledWith = new HashSet<>();

	private final Set<Ineligibility> ineligible = EnumSet.noneOf(Ineligibility.class);

	private boolean alive = true;

	private boolean threadsExhausted;

	private @Nullable CompletableFuture<Void> stopped;

	SimulatedProcess(World world, Weather weather, SimulatedNode node, Supplier<Owner> owners, SimulatedStore server,
			Referee referee, Tampering tampering, List<ElectionSettings> settings, List<String> names,
			Coroutines coroutines, boolean heartbeats) {
		this.world = world;
		this.weather = weather;
		this.referee = referee;
		this.tampering = tampering;
		this.node = node;
		this.owner = owners.get();
		NodeClock clock = tampering.clock(node.clock());
		RefereedStore store = new RefereedStore(tampering.store(server.records(), server.records(), clock),
				server.records(), referee, this);
		this.network = new SimulatedNetwork(world, weather, server, node, this, clock, store, tampering, coroutines);
		RecordServer records = server.recordServer();
		if (records != null) {
			this.network.observe(heartbeats ? new SimulatedHeartbeats(this.network, this, records)
					: new SimulatedRecords(this.network, this, records), tampering.observationClock(clock));
		}
		store.hintsOver(this.network);
		StoreAccess access = tampering.access(this.network, clock);
		Callbacks callbacks = tampering
			.callbacks(new SimulatedCallbacks(world, weather, this, tampering.retriesFailedThreads()));
		this.engine = new ElectionEngine(() -> this.owner = owners.get(), clock, this::schedule, access, callbacks,
				referee.log(this), world.random().split());
		this.elections = new DefaultLeaderElector[names.size()];
		this.probes = new Probe[names.size()][];
		for (int i = 0; i < names.size(); i++) {
			this.elections[i] = this.engine.elector(names.get(i), settings.get(i));
			this.probes[i] = new Probe[1 + world.random().nextInt(2)];
			for (int j = 0; j < this.probes[i].length; j++) {
				this.probes[i][j] = new Probe(world, "listener %d of %s".formatted(j, this.owner),
						(event) -> referee.status().vacancyTold(this, event));
				this.elections[i].addListener(this.probes[i][j]);
			}
		}
	}

	String name() {
		return this.owner.toString();
	}

	Owner owner() {
		return this.owner;
	}

	SimulatedNode node() {
		return this.node;
	}

	DefaultLeaderElector election(int index) {
		return this.elections[index];
	}

	boolean isAlive() {
		return this.alive;
	}

	boolean isStopping() {
		return this.stopped != null;
	}

	boolean hasStopped() {
		return this.stopped != null && this.stopped.isDone();
	}

	void start() {
		this.engine.start();
		planWork();
	}

	void stop() {
		if (this.stopped == null) {
			this.stopped = this.engine.stop();
		}
	}

	/** Goes on after a stop, in the same process. */
	void startAgain() {
		this.stopped = null;
		this.engine.start();
	}

	void kill() {
		this.alive = false;
	}

	boolean canStartThreads() {
		return !this.threadsExhausted;
	}

	void exhaustThreads(boolean exhausted) {
		this.threadsExhausted = exhausted;
	}

	void hangNextRead() {
		this.network.hangNextRead();
	}

	void endSession() {
		this.network.endSession();
	}

	boolean isIneligible() {
		return !this.ineligible.isEmpty();
	}

	void declareIneligible(Ineligibility reason) {
		this.engine.declareIneligible(reason);
		this.ineligible.add(reason);
	}

	void declareEligible(Ineligibility reason) {
		this.ineligible.remove(reason);
		this.engine.declareEligible(reason);
	}

	/**
	 * Lets something happen in this process, unless it is dead; later if it is paused.
	 */
	void deliver(Runnable action) {
		if (this.alive) {
			this.node.deliver(() -> {
				if (this.alive) {
					action.run();
				}
			});
		}
	}

	boolean isDoneWith(int index, long token) {
		for (Probe probe : this.probes[index]) {
			if (!probe.isDoneWith(token)) {
				return false;
			}
		}
		return true;
	}

	void leads(FencingToken token) {
		this.ledWith.add(token);
	}

	boolean ledWith(FencingToken token) {
		return this.ledWith.contains(token);
	}

	int inFlight(FencingToken token) {
		return this.inFlight.getOrDefault(token, 0);
	}

	boolean isBalanced() {
		for (Probe[] ofElection : this.probes) {
			for (Probe probe : ofElection) {
				if (!probe.isBalanced()) {
					return false;
				}
			}
		}
		return true;
	}

	private Timers.Timer schedule(long delayNanos, Runnable task) {
		LocalTimer timer = new LocalTimer(this.node.clock().nanos() + delayNanos, task);
		timer.plan(delayNanos);
		return timer;
	}

	private void planWork() {
		this.world.in(this.world.between(World.SECOND, 12 * World.SECOND), () -> deliver(() -> {
			work(this.world.random().nextInt(this.elections.length));
			planWork();
		}));
	}

	/** Writes to the fenced resource. */
	void write(int index, Leadership leadership) {
		FencingToken seen = this.referee.fence(index);
		if (leadership.token().compareTo(seen) < 0 && this.tampering.reportsRejectedTokens()) {
			leadership.tokenRejected(seen);
		}
	}

	private void work(int index) {
		this.referee.status().checkStatus(this, index);
		this.elections[index].begin(OnLoss.SIGNAL).ifPresent((begun) -> {
			Work work = begun.detached();
			begun.end();
			FencingToken token = work.leadership().token();
			write(index, work.leadership());
			this.inFlight.merge(token, 1, Integer::sum);
			this.world.in(this.weather.workTime(), () -> deliver(() -> {
				this.inFlight.merge(token, -1, Integer::sum);
				work.end();
			}));
		});
	}

	/**
	 * A timer on the node's clock, which may have stood still meanwhile.
	 */
	private final class LocalTimer implements Timers.Timer {

		private final long due;

		private final Runnable task;

		private World.@Nullable Event event;

		private boolean cancelled;

		private LocalTimer(long due, Runnable task) {
			this.due = due;
			this.task = task;
		}

		private void plan(long delay) {
			this.event = SimulatedProcess.this.world.in(SimulatedProcess.this.node.clock().inWorldTime(delay),
					() -> deliver(this::ring));
		}

		private void ring() {
			long missing = this.due - SimulatedProcess.this.node.clock().nanos();
			if (missing > 0) {
				plan(missing);
			}
			else if (!this.cancelled) {
				this.task.run();
			}
		}

		@Override
		public void cancel() {
			this.cancelled = true;
			if (this.event != null) {
				this.event.cancel();
			}
		}

	}

}
