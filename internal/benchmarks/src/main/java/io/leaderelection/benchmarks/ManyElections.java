package io.leaderelection.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;

import com.sun.management.OperatingSystemMXBean;
import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import io.leaderelection.benchmarks.TimedStore.Timings;
import io.leaderelection.store.memory.InMemoryLeaseStore;

/**
 * Thousands of elections in one process, first with one node and then with a second one
 * that follows: how many threads they take, how much memory, and whether all leases are
 * renewed on time. Ends with status 1 when a target is missed.
 */
public final class ManyElections {

	/** One line per gained lease would be most of what is measured. */
	private static final Logger transitions = Logger.getLogger("io.leaderelection");

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();

	private static final OperatingSystemMXBean system = ManagementFactory
		.getPlatformMXBean(OperatingSystemMXBean.class);

	private final ElectionSettings settings = ElectionSettings.defaults();

	private final InMemoryLeaseStore store = new InMemoryLeaseStore();

	private final List<String> names;

	private final Duration time;

	private ManyElections(int elections, Duration time) {
		this.names = IntStream.range(0, elections).mapToObj("election-%05d"::formatted).toList();
		this.time = time;
	}

	/**
	 * Runs and prints a table.
	 * @param args the number of elections (10000) and of seconds to watch them (60)
	 * @throws InterruptedException if interrupted
	 */
	public static void main(String[] args) throws InterruptedException {
		int elections = (args.length > 0) ? Integer.parseInt(args[0]) : 10_000;
		Duration time = Duration.ofSeconds((args.length > 1) ? Long.parseLong(args[1]) : 60);
		if (elections < 1 || time.compareTo(ElectionSettings.defaults().leaseDuration()) < 0) {
			throw new IllegalArgumentException("At least one election and %s, but read %d and %s"
				.formatted(ElectionSettings.defaults().leaseDuration(), elections, time));
		}
		Locale.setDefault(Locale.ROOT);
		transitions.setLevel(Level.WARNING);
		List<Figures> runs = new ArrayList<>();
		for (int nodes = 1; nodes <= 2; nodes++) {
			runs.add(new ManyElections(elections, time).run(nodes));
		}
		Report report = new Report(elections, time, runs);
		System.out.println(report.table());
		System.exit(report.meetsTargets() ? 0 : 1);
	}

	private Figures run(int count) throws InterruptedException {
		List<Node> nodes = new ArrayList<>();
		for (int i = 1; i <= count; i++) {
			nodes.add(new Node("run-%d-node-%d".formatted(count, i)));
		}
		long heapBefore = heapInUse();
		try (OwnThreads threads = new OwnThreads()) {
			Node leader = nodes.get(0);
			long began = System.nanoTime();
			leader.start();
			await(leader.gains, leader.id + " to lead all elections");
			Duration toLead = since(began);
			for (Node follower : nodes.subList(1, count)) {
				follower.start();
				await(follower.leadersSeen, follower.id + " to follow all elections");
			}
			Watched watched = watch(leader);
			int led = leader.leading();
			int ledTwice = nodes.stream().skip(1).mapToInt(Node::leading).sum();
			int losses = leader.losses.get();
			int threadsAtEnd = OwnThreads.count();
			Timings timings = leader.store.timings();
			int looks = nodes.stream().skip(1).mapToInt((node) -> node.store.timings().acquireCalls()).sum();
			long heap = heapInUse();
			Duration toHandOver = handOver(nodes);
			awaitNoThreads();
			return new Figures(this.settings, count, this.names.size(), toLead, led, ledTwice, losses, timings, looks,
					watched, threads.most(), threadsAtEnd, heapBefore, heap, toHandOver);
		}
	}

	/** Lets time pass, unless a lease is lost. */
	private Watched watch(Node leader) throws InterruptedException {
		long began = System.nanoTime();
		long cpuBegan = system.getProcessCpuTime();
		leader.firstLoss.await(this.time.toNanos(), TimeUnit.NANOSECONDS);
		return new Watched(since(began), Duration.ofNanos(system.getProcessCpuTime() - cpuBegan));
	}

	/** Stops the leader, and waits until the next node, if there is one, leads all. */
	private Duration handOver(List<Node> nodes) throws InterruptedException {
		long began = System.nanoTime();
		nodes.get(0).elections.stop();
		for (Node next : nodes.subList(1, nodes.size())) {
			await(next.gains, next.id + " to take over all elections");
		}
		Duration taken = since(began);
		nodes.forEach((node) -> node.elections.close());
		return taken;
	}

	/** Threads end some time after their last task; the next run must not count them. */
	private static void awaitNoThreads() throws InterruptedException {
		long began = System.nanoTime();
		CountDownLatch never = new CountDownLatch(1);
		while (OwnThreads.count() > 0) {
			if (since(began).compareTo(PATIENCE) > 0) {
				throw new IllegalStateException("%d threads outlive their elections".formatted(OwnThreads.count()));
			}
			never.await(100, TimeUnit.MILLISECONDS);
		}
	}

	private static void await(CountDownLatch latch, String what) throws InterruptedException {
		if (!latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
			throw new IllegalStateException(
					"Waited %s in vain for %s: %d missing".formatted(PATIENCE, what, latch.getCount()));
		}
	}

	private static Duration since(long began) {
		return Duration.ofNanos(System.nanoTime() - began);
	}

	private static long heapInUse() {
		// what one collection makes unreachable, the next one frees
		for (int i = 0; i < 3; i++) {
			System.gc();
		}
		return memory.getHeapMemoryUsage().getUsed();
	}

	/**
	 * What the process did while nothing was asked of it but to renew.
	 *
	 * @param time how long
	 * @param cpuTime how much of that its threads were running
	 */
	record Watched(Duration time, Duration cpuTime) {
	}

	/**
	 * A node that stands for all elections, with a listener for each.
	 */
	private final class Node {

		private final String id;

		private final TimedStore store;

		private final LeaderElections elections;

		private final CountDownLatch gains = new CountDownLatch(ManyElections.this.names.size());

		private final CountDownLatch leadersSeen = new CountDownLatch(ManyElections.this.names.size());

		private final CountDownLatch firstLoss = new CountDownLatch(1);

		private final AtomicInteger losses = new AtomicInteger();

		Node(String id) {
			this.id = id;
			this.store = new TimedStore(ManyElections.this.store, ManyElections.this.names,
					ManyElections.this.settings.renewInterval());
			this.elections = LeaderElections.on(this.store).nodeId(id).settings(ManyElections.this.settings).build();
		}

		void start() {
			for (String name : ManyElections.this.names) {
				this.elections.elector(name).addListener(new Listener());
			}
			this.elections.start();
		}

		int leading() {
			return (int) this.elections.electors().stream().filter(LeaderElector::isLeader).count();
		}

		private final class Listener implements LeadershipListener {

			@Override
			public void gained(Gained event) {
				Node.this.gains.countDown();
			}

			@Override
			public void lost(Lost event) {
				Node.this.losses.incrementAndGet();
				Node.this.firstLoss.countDown();
			}

			@Override
			public void leaderChanged(LeaderChanged event) {
				Node.this.leadersSeen.countDown();
			}

		}

	}

}
