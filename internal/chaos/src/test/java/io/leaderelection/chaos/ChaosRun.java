package io.leaderelection.chaos;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.leaderelection.chaos.backend.Backend;
import io.leaderelection.chaos.backend.BackendKind;
import io.leaderelection.chaos.history.Excerpt;
import io.leaderelection.chaos.history.Fault;
import io.leaderelection.chaos.history.FaultKind;
import io.leaderelection.chaos.history.History;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

import org.springframework.util.FileSystemUtils;

/**
 * One run: starts a store and nodes, lets the schedule loose on them, waits until all is
 * well again, asks one leader after the other to leave, and gathers what everybody saw.
 */
final class ChaosRun {

	private static final Path DIRECTORY = Path.of(System.getProperty("chaos.directory", "target/chaos"));

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/** How long each of the last leaders leads. */
	private static final Duration TERM = Duration.ofMillis(200);

	private final BackendKind kind;

	private final ChaosSettings settings;

	private final Path directory;

	ChaosRun(BackendKind kind, ChaosSettings settings) {
		this.kind = kind;
		this.settings = settings;
		this.directory = DIRECTORY.resolve("%s-%d".formatted(kind.id(), settings.seed()));
	}

	/** Where it leaves its history. */
	Path directory() {
		return this.directory.toAbsolutePath();
	}

	/** Runs what the seed decides. */
	Outcome run() throws Exception {
		return run((others) -> Schedule.of(this.settings.seed(), this.settings.duration(), this.settings.nodes(),
				this.settings.lease(), others));
	}

	/** Runs a plan, which may contain the given kinds beside those that befall nodes. */
	Outcome run(Function<Set<FaultKind>, List<PlannedFault>> plan) throws Exception {
		FileSystemUtils.deleteRecursively(this.directory);
		Files.createDirectories(this.directory);
		try (Backend backend = this.kind.start()) {
			List<ChaosNode> nodes = IntStream.rangeClosed(1, this.settings.nodes())
				.mapToObj((i) -> new ChaosNode("node-" + i, this.directory, backend, properties()))
				.toList();
			try {
				History history = run(backend, nodes, plan.apply(others(backend)));
				Files.write(this.directory.resolve("history.txt"), new Excerpt(history).all());
				return new Outcome(history, backend.description());
			}
			finally {
				nodes.forEach(ChaosNode::close);
			}
		}
	}

	private static Set<FaultKind> others(Backend backend) {
		Set<FaultKind> others = EnumSet.copyOf(backend.faults().keySet());
		if (WallClock.canBeSet()) {
			others.add(FaultKind.CLOCK_JUMP);
		}
		else {
			System.out.println("No wall-clock jumps: libfaketime is not installed");
		}
		return others;
	}

	private List<String> properties() {
		long lease = this.settings.lease().toMillis();
		return List.of("leader-election.lease-duration=" + lease + "ms",
				"leader-election.cold-start-wait=" + lease + "ms", "leader-election.drain-timeout=1s",
				"chaos.write-interval-millis=10", "chaos.broken=" + this.settings.broken());
	}

	private History run(Backend backend, List<ChaosNode> nodes, List<PlannedFault> plan) throws Exception {
		Injector injector = new Injector(nodes, backend, this.settings.lease());
		long begun = System.nanoTime();
		nodes.forEach(ChaosNode::start);
		nodes.forEach((node) -> node.present().awaitReady());
		awaitLeader(injector);
		long ready = System.nanoTime();
		play(plan, injector);
		nodes.forEach((node) -> node.present().awaitReady());
		Injector.pass(this.settings.calm());
		long closing = System.nanoTime();
		List<Fault> faults = new ArrayList<>(List.of(new Fault(FaultKind.START, Fault.STORE, begun, begun, ready, "")));
		faults.addAll(close(nodes, injector));
		faults.addAll(injector.faults());
		return Collected.from(nodes).history(backend.writes(), faults, begun, closing, System.nanoTime());
	}

	private static void awaitLeader(Injector injector) {
		Awaitility.await("a leader")
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(5))
			.until(() -> injector.leader().isPresent());
	}

	private static void play(List<PlannedFault> plan, Injector injector) throws Exception {
		ExecutorService pool = Executors.newCachedThreadPool();
		try {
			long start = System.nanoTime();
			List<Future<?>> injected = new ArrayList<>();
			for (PlannedFault fault : plan) {
				Injector.pass(fault.at().minusNanos(System.nanoTime() - start));
				injected.add(pool.submit(() -> {
					injector.inject(fault);
					return true;
				}));
			}
			for (Future<?> one : injected) {
				one.get();
			}
		}
		finally {
			pool.shutdownNow();
		}
	}

	/** Whoever has not led in the end, though all others had left, has not recovered. */
	private static List<Fault> close(List<ChaosNode> nodes, Injector injector) throws InterruptedException {
		List<Fault> faults = new ArrayList<>();
		while (faults.size() < nodes.size()) {
			try {
				awaitLeader(injector);
			}
			catch (ConditionTimeoutException ex) {
				return faults;
			}
			Injector.pass(TERM);
			injector.leader().ifPresent((leader) -> faults.add(end(leader.present())));
		}
		return faults;
	}

	private static Fault end(NodeLife leader) {
		long begun = System.nanoTime();
		leader.terminate();
		leader.awaitEnd();
		long ended = System.nanoTime();
		return new Fault(FaultKind.TERMINATE, leader.name(), begun, ended, ended, "in the end");
	}

	/**
	 * What came of a run.
	 *
	 * @param history what happened
	 * @param store what it was done on
	 */
	record Outcome(History history, String store) {

	}

}
