package io.leaderelection.test.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.Leadership;
import io.leaderelection.store.LeaseView;
import org.jspecify.annotations.Nullable;

/**
 * One run: storms in which everything goes wrong at random, and calms in which there has
 * to be one leader, and one hand-over is timed.
 */
final class Simulation {

	private static final long HANDOVER_BOUND = 50 * World.MILLI;

	private final Scenario scenario;

	private final World world;

	private final Weather weather;

	private final SimulatedStore server;

	private final Referee referee;

	private final List<SimulatedNode> nodes = new ArrayList<>();

	private final List<String> elections = new ArrayList<>();

	private final Faults faults;

	private final Coroutines coroutines = new Coroutines();

	private final boolean heartbeats;

	private final Leases leases;

	private final long drainTimeout;

	private int handovers;

	private long longestHandover;

	private long longestTakeover;

	private Simulation(Scenario scenario, long seed, boolean traced) {
		this.scenario = scenario;
		this.world = new World(seed, traced);
		this.weather = new Weather(this.world);
		// without a clock of the store, tokens after a loss of data rise by clocks of
		// nodes
		boolean losesData = this.world.chance(0.5) && !scenario.observed();
		int count = this.world.chance(0.7) ? 1 : 2 + this.world.random().nextInt(2);
		this.leases = Leases.of(this.world, count);
		this.drainTimeout = this.world.between(this.leases.shortest() / 2, 3 * this.leases.shortest() / 2);
		for (int i = 0; i < count; i++) {
			this.elections.add("election-" + i);
		}
		Tampering tampering = scenario.tampering().get();
		RecordServer recordServer = scenario.observed() ? new RecordServer(this.world, tampering) : null;
		this.heartbeats = scenario.observed() && this.world.chance(0.5);
		this.server = new SimulatedStore(this.world, clockRate(), this.elections, tampering, recordServer);
		this.referee = new Referee(this.world, this.weather, this.server, this.elections, this.leases);
		if (recordServer != null) {
			recordServer.watchedBy(this.referee);
		}
		List<ElectionSettings> settings = this.leases.all()
			.map((lease) -> tampering.settings(settings(Duration.ofNanos(lease), losesData)))
			.toList();
		for (int i = 0; i < scenario.nodes(); i++) {
			SimulatedClock clock = new SimulatedClock(this.world, clockRate(), this.world.between(-60_000, 60_000));
			this.nodes.add(new SimulatedNode(this.world, "node-" + i, clock,
					(node, owners) -> new SimulatedProcess(this.world, this.weather, node, owners, this.server,
							this.referee, tampering, settings, this.elections, this.coroutines, this.heartbeats)));
		}
		this.referee.watch(this.nodes);
		this.faults = new Faults(this.world, this.server, this.referee, this.nodes, this.elections, this.leases,
				losesData);
	}

	/** Any two clocks differ in their rates by less than one percent. */
	private double clockRate() {
		return 0.9951 + 0.0098 * this.world.random().nextDouble();
	}

	private ElectionSettings settings(Duration lease, boolean losesData) {
		return ElectionSettings.builder()
			.leaseDuration(lease)
			.drainTimeout(Duration.ofNanos(this.drainTimeout))
			.coldStartWait(losesData ? lease.multipliedBy(102).dividedBy(100) : Duration.ZERO)
			.build();
	}

	/**
	 * Runs a seed.
	 * @param scenario what is simulated
	 * @param seed the run
	 * @return what happened
	 * @throws InvariantViolation if a promise was broken
	 */
	public static Outcome run(Scenario scenario, long seed) {
		return new Simulation(scenario, seed, false).runAndClose(seed);
	}

	/**
	 * Runs a seed again, and keeps the last events before a violation.
	 * @param scenario what is simulated
	 * @param seed the run
	 * @return what happened
	 * @throws InvariantViolation if a promise was broken, with its trace
	 */
	public static Outcome replay(Scenario scenario, long seed) {
		return new Simulation(scenario, seed, true).runAndClose(seed);
	}

	private Outcome runAndClose(long seed) {
		try {
			return run(seed);
		}
		finally {
			this.coroutines.close();
		}
	}

	private Outcome run(long seed) {
		for (SimulatedNode node : this.nodes) {
			this.world.in(this.world.between(0, World.SECOND), () -> node.process().start());
		}
		pass(World.SECOND);
		long end = this.scenario.duration().toNanos();
		while (this.world.now() < end) {
			storm();
			calm();
			handOver(this.world.random().nextInt(this.elections.size()));
		}
		storm();
		calm();
		stopAll();
		return new Outcome(seed, this.world.happened(), this.faults.injected(), this.referee.gains(), this.handovers,
				Duration.ofNanos(this.longestHandover), Duration.ofNanos(this.longestTakeover),
				this.referee.status().vacancies());
	}

	private void pass(long time) {
		this.world.runUntil(this.world.now() + time, this.referee::checkLeaders);
	}

	private void storm() {
		long length = this.world.between(20 * World.SECOND, 50 * World.SECOND);
		this.weather.storm();
		this.faults.begin(this.world.now() + length);
		pass(length);
	}

	private void calm() {
		this.world.trace(() -> "calm");
		this.weather.calm();
		this.faults.heal();
		// messages and callbacks of the storm, a lease left behind, a lease lost and a
		// drain
		pass(12 * World.SECOND + 3 * this.leases.longest() + this.drainTimeout);
		for (int i = 0; i < this.elections.size(); i++) {
			if (isAcquiringHigherToken(i)) {
				passUntilSomebodyLeads(i, this.world.now() + this.drainTimeout + HANDOVER_BOUND);
			}
			if (this.referee.leader(i) == null) {
				throw this.world.violation("P5",
						"nobody leads '%s' though all is well".formatted(this.elections.get(i)));
			}
			expectWrite(i);
		}
		if (this.leases.differ()) {
			hangCall();
		}
	}

	/** Work has met a fence that is ahead, just now. */
	private boolean isAcquiringHigherToken(int election) {
		return this.nodes.stream()
			.anyMatch((node) -> node.process().election(election).status().fenceAhead().isPresent());
	}

	/** A call for a long lease that is never answered costs no short one. */
	private void hangCall() {
		SimulatedProcess leader = leader(0);
		FencingToken token = leader.election(0).fencingToken().orElseThrow();
		leader.hangNextRead();
		leader.election(1).candidates();
		pass(2 * this.leases.shortest());
		if (!leader.election(0).fencingToken().equals(Optional.of(token))) {
			throw this.world.violation("P6",
					"%s lost %s since a call for '%s' hung".formatted(leader.name(), token, this.elections.get(1)));
		}
	}

	/**
	 * A leader whose store confirms its lease gets past the fence, at the latest then.
	 */
	private void expectWrite(int election) {
		Leadership leadership = leader(election).election(election).leadership().orElseThrow();
		FencingToken seen = this.referee.fence(election);
		if (leadership.token().compareTo(seen) >= 0) {
			return;
		}
		leader(election).write(election, leadership);
		pass(this.drainTimeout + this.leases.of(election));
		FencingToken next = leader(election).election(election).fencingToken().orElseThrow();
		if (next.compareTo(seen) < 0) {
			throw this.world.violation("P3",
					"the fence of '%s' still rejects its leader".formatted(this.elections.get(election)));
		}
	}

	/** Ends a leadership in calm weather, and times the next. */
	private void handOver(int election) {
		this.handovers++;
		SimulatedProcess leader = leader(election);
		long before = this.world.now();
		double draw = this.world.random().nextDouble();
		if (draw < 0.3) {
			this.world.trace(() -> leader.name() + " is killed in calm weather");
			FencingToken token = leader.election(election).fencingToken().orElseThrow();
			leader.node().kill();
			expectTakeover(election, token);
			leader.node().restart();
		}
		else if (draw < 0.55) {
			this.world.trace(() -> leader.name() + " is stopped in calm weather");
			leader.stop();
			expectHandover(election, before, null);
			pass(this.drainTimeout);
			leader.node().restart();
		}
		else if (draw < 0.8) {
			this.world.trace(() -> leader.name() + " steps down in calm weather");
			leader.election(election).stepDown();
			expectHandover(election, before, null);
		}
		else {
			SimulatedNode target = anyOther(leader.node());
			this.world.trace(() -> "%s hands over to %s in calm weather".formatted(leader.name(), target.id()));
			CompletableFuture<Boolean> transfer = leader.election(election).transferTo(target.id());
			expectHandover(election, before, target);
			if (transfer.isCompletedExceptionally()) {
				throw this.world.violation("P5", "%s could not hand over".formatted(leader.name()));
			}
		}
	}

	private SimulatedProcess leader(int election) {
		SimulatedProcess leader = this.referee.leader(election);
		if (leader == null) {
			throw this.world.violation("P5",
					"nobody leads '%s' though all is well".formatted(this.elections.get(election)));
		}
		return leader;
	}

	private SimulatedNode anyOther(SimulatedNode node) {
		List<SimulatedNode> others = new ArrayList<>(this.nodes);
		others.remove(node);
		return others.get(this.world.random().nextInt(others.size()));
	}

	/**
	 * After a crash: the end of the lease, the spread, the drift of a timer, a round
	 * trip.
	 */
	private void expectTakeover(int election, FencingToken last) {
		// a renewal may have been on its way
		pass(5 * World.MILLI);
		long leaseEnds = this.referee.leaseEnds(last);
		long lease = this.leases.of(election);
		// without a clock of the store, the whole lease passes on a follower's clock
		long rates = this.scenario.observed() ? lease / 50 : 0;
		long bound = leaseEnds + lease / 200 + lease / 50 + rates + HANDOVER_BOUND;
		passUntilSomebodyLeads(election, bound);
		if (this.referee.leader(election) == null) {
			throw this.world.violation("P5", "nobody leads '%s' %d ms after a crashed leader's lease ended"
				.formatted(this.elections.get(election), (this.world.now() - leaseEnds) / World.MILLI));
		}
		this.longestTakeover = Math.max(this.longestTakeover, this.world.now() - leaseEnds);
	}

	private void expectHandover(int election, long before, @Nullable SimulatedNode target) {
		long latest = before + this.drainTimeout + HANDOVER_BOUND;
		while (this.referee.lastGivenUp(election) < before && this.world.now() < latest) {
			pass(World.MILLI / 2);
		}
		long givenUp = this.referee.lastGivenUp(election);
		if (givenUp < before) {
			throw this.world.violation("P5",
					"the lease of '%s' was not given up".formatted(this.elections.get(election)));
		}
		passUntilSomebodyLeads(election, givenUp + HANDOVER_BOUND);
		SimulatedProcess next = leaderAfterHandover(election, givenUp);
		if (target != null && next.node() != target) {
			throw this.world.violation("P5",
					"%s leads '%s' instead of %s".formatted(next.name(), this.elections.get(election), target.id()));
		}
		this.longestHandover = Math.max(this.longestHandover, this.world.now() - givenUp);
	}

	private SimulatedProcess leaderAfterHandover(int election, long givenUp) {
		SimulatedProcess next = this.referee.leader(election);
		if (next == null) {
			throw this.world.violation("P5", "nobody leads '%s' %d ms after the lease was given up"
				.formatted(this.elections.get(election), (this.world.now() - givenUp) / World.MILLI));
		}
		return next;
	}

	private void passUntilSomebodyLeads(int election, long latest) {
		while (this.referee.leader(election) == null && this.world.now() < latest) {
			pass(World.MILLI / 2);
		}
	}

	private void stopAll() {
		for (SimulatedNode node : this.nodes) {
			node.process().stop();
		}
		pass(this.drainTimeout + this.leases.longest());
		for (SimulatedNode node : this.nodes) {
			if (!node.process().hasStopped() || !node.process().isBalanced()) {
				throw this.world.violation("P4", node.process().name() + " did not stop cleanly");
			}
		}
		for (String election : this.elections) {
			Optional<LeaseView> left = this.server.read(election);
			if (left.flatMap(LeaseView::holder).isPresent()) {
				throw this.world.violation("P4", "the lease of '%s' was left behind".formatted(election));
			}
		}
	}

}
