package io.leaderelection.benchmarks.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;

import io.leaderelection.benchmarks.Waiting;
import io.leaderelection.benchmarks.peers.NodeProcess.Said;
import io.leaderelection.benchmarks.peers.node.NodeProgram;
import io.leaderelection.benchmarks.peers.store.StoreServer;

/**
 * Some nodes of one contestant, and a store of their own.
 */
final class Cluster implements AutoCloseable {

	private static final Duration TO_START = Duration.ofSeconds(90);

	private static final Duration TO_SETTLE = Duration.ofSeconds(10);

	/** In this time a cluster at rest works for less than a tenth of it. */
	private static final Duration REST = Duration.ofSeconds(1);

	/** A start is all work, so more at once would only wait for each other. */
	private static final Semaphore STARTS = new Semaphore(Runtime.getRuntime().availableProcessors());

	private final Contestant contestant;

	private final Shape shape;

	private final StoreServer store;

	private final List<NodeProcess> nodes = new ArrayList<>();

	private final Map<NodeProcess, Wire> wires = new HashMap<>();

	private int started;

	Cluster(Contestant contestant, Shape shape) throws Exception {
		this.contestant = contestant;
		this.shape = shape;
		this.store = contestant.store().start();
	}

	Contestant contestant() {
		return this.contestant;
	}

	StoreServer store() {
		return this.store;
	}

	List<NodeProcess> nodes() {
		return this.nodes;
	}

	Wire wire(NodeProcess node) {
		return this.wires.get(node);
	}

	/**
	 * Starts the nodes that are missing, and waits until all are ready.
	 */
	void fill() throws IOException, InterruptedException {
		this.nodes.removeIf((node) -> !node.alive());
		while (this.nodes.size() < this.shape.nodes()) {
			STARTS.acquire();
			try {
				start().expect("READY", TO_START);
			}
			finally {
				STARTS.release();
			}
		}
	}

	/** Starts a node. */
	NodeProcess start() throws IOException {
		String id = "%s-%d".formatted(this.contestant.id(), ++this.started);
		int port = this.store.port();
		Wire wire = null;
		if (this.shape.wired()) {
			wire = new Wire(port);
			port = wire.port();
		}
		List<String> arguments = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g"));
		arguments.addAll(List.of(NodeProgram.class.getName(),
				this.shape.bare() ? "NoElections" : this.contestant.configuration(), "--spring.main.keep-alive=true",
				"--server.port=0", "--node.elections=" + this.shape.elections(),
				"--node.sampled=" + this.shape.sampled()));
		this.contestant.properties(id, this.shape.lease(), port).forEach((property) -> arguments.add("--" + property));
		NodeProcess node = NodeProcess.start(id, families(), this.shape.logs(), arguments);
		this.nodes.add(node);
		if (wire != null) {
			this.wires.put(node, wire);
		}
		return node;
	}

	private Set<Family> families() {
		return this.shape.bare() ? this.contestant.bareFamilies() : this.contestant.families(this.shape.web());
	}

	/** The node that was the last one to gain leadership. */
	NodeProcess leader() throws InterruptedException {
		return awaitLeaderAfter(0, this.shape.patience())
			.orElseThrow(() -> new IllegalStateException(
					"Nobody leads %s; see %s".formatted(this.contestant, this.shape.logs())))
			.node();
	}

	/**
	 * Waits for the leader that was elected after a moment.
	 * @param micros the moment
	 * @param patience how long to wait
	 * @return the leader, or nothing
	 */
	Optional<Election> awaitLeaderAfter(long micros, Duration patience) throws InterruptedException {
		Waiting.until(() -> leaderSince(micros).isPresent(), Duration.ofMillis(5), patience);
		return leaderSince(micros);
	}

	private Optional<Election> leaderSince(long micros) {
		return this.nodes.stream()
			.filter(NodeProcess::alive)
			.flatMap((node) -> node.said("GAINED").stream().map((said) -> new Election(node, said)))
			.filter((election) -> election.said().micros() >= micros)
			.max(Comparator.comparingLong((election) -> election.said().micros()));
	}

	/**
	 * For how long two nodes or more called themselves leader at once.
	 * @param from from when on to look, in microseconds
	 * @return the time, in milliseconds
	 */
	double overlapMillis(long from) {
		return Claims.overlap(this.nodes.stream().map(NodeProcess::claims).toList(), from, NodeProcess.now()) / 1000.0;
	}

	/**
	 * How many elections are led, by all nodes together.
	 * @return the number, or nothing if a node does not answer
	 */
	Optional<Long> led() throws InterruptedException {
		long led = 0;
		for (NodeProcess node : this.nodes) {
			Optional<Long> ofOne = node.ask("LED", this.shape.patience());
			if (ofOne.isEmpty()) {
				return ofOne;
			}
			led += ofOne.get();
		}
		return Optional.of(led);
	}

	/** Waits until every election has a leader, or patience ends. */
	void awaitAllLed() throws InterruptedException {
		Waiting.until(() -> led().orElse(-1L) == this.shape.elections(), Duration.ofMillis(500), this.shape.patience());
	}

	/**
	 * Waits until the nodes have come to rest, or patience ends: those that have just
	 * started still compile what their start has used.
	 */
	void settle() throws InterruptedException {
		Waiting.until(this::rests, Duration.ZERO, TO_SETTLE);
	}

	private boolean rests() throws InterruptedException {
		Duration before = worked();
		Waiting.pass(REST);
		return worked().minus(before).multipliedBy(10).compareTo(REST) < 0;
	}

	private Duration worked() {
		return this.nodes.stream().map(NodeProcess::worked).reduce(Duration.ZERO, Duration::plus);
	}

	@Override
	public void close() throws IOException {
		this.nodes.forEach(NodeProcess::close);
		for (Wire wire : this.wires.values()) {
			wire.close();
		}
		this.store.close();
	}

	/**
	 * A node that was elected.
	 *
	 * @param node which one
	 * @param said what it said then
	 */
	record Election(NodeProcess node, Said said) {
	}

	/**
	 * What a cluster is like.
	 *
	 * @param nodes how many nodes
	 * @param elections how many elections; none for the bare application
	 * @param lease how long a lease lasts
	 * @param web whether the nodes have a web server
	 * @param sampled whether they ask every few milliseconds whether they lead
	 * @param wired whether each has a wire of its own
	 * @param logs where their logs go
	 */
	record Shape(int nodes, int elections, Duration lease, boolean web, boolean sampled, boolean wired, Path logs) {

		Shape withNodes(int nodes) {
			return new Shape(nodes, this.elections, this.lease, this.web, this.sampled, this.wired, this.logs);
		}

		Shape withElections(int elections) {
			return new Shape(this.nodes, elections, this.lease, this.web, this.sampled, this.wired, this.logs);
		}

		Shape withWeb(boolean web) {
			return new Shape(this.nodes, this.elections, this.lease, web, this.sampled, this.wired, this.logs);
		}

		Shape withSamples() {
			return new Shape(this.nodes, this.elections, this.lease, this.web, true, this.wired, this.logs);
		}

		Shape withWires() {
			return new Shape(this.nodes, this.elections, this.lease, this.web, this.sampled, true, this.logs);
		}

		boolean bare() {
			return this.elections == 0;
		}

		/**
		 * Long enough for every lease of somebody who is gone to end, and to try again.
		 */
		Duration patience() {
			return this.lease.multipliedBy(3).plusSeconds(5);
		}

	}

}
