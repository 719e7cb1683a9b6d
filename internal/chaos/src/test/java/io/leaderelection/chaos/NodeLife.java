package io.leaderelection.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.leaderelection.chaos.history.Answers;
import io.leaderelection.chaos.history.Life;
import io.leaderelection.chaos.node.Diary;
import io.leaderelection.chaos.node.Diary.Entry;
import io.leaderelection.chaos.node.NodeProgram;
import io.leaderelection.chaos.node.SampleLog;
import io.leaderelection.nodes.NodeProcess;
import io.leaderelection.servers.Signals;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * One process of a node, from its start to its end.
 */
final class NodeLife {

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	/** How old the latest sample may be for the two clocks to be the same one. */
	private static final long SAME_CLOCK = 20_000_000;

	private final String node;

	private final String name;

	private final Path directory;

	private final Process process;

	private final long started = System.nanoTime();

	private final CompletableFuture<Long> ended;

	private SampleLog samples;

	NodeLife(String node, String name, Path directory, List<String> properties, WallClock clock) {
		this.node = node;
		this.name = name;
		this.directory = directory;
		List<String> arguments = new ArrayList<>(
				List.of("--chaos.process=" + name, "--chaos.directory=" + directory.toAbsolutePath()));
		properties.forEach((property) -> arguments.add("--" + property));
		try {
			Files.createDirectories(directory);
			ProcessBuilder builder = new ProcessBuilder(NodeProcess.command(NodeProgram.class, arguments))
				.redirectErrorStream(true)
				.redirectOutput(directory.resolve("output.log").toFile());
			clock.applyTo(builder);
			this.process = builder.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.ended = this.process.onExit().thenApply((exit) -> System.nanoTime());
	}

	String name() {
		return this.name;
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Waits until it stands for the election, and until its clock is known to be ours.
	 */
	void awaitReady() {
		Awaitility.await(this.name + " is ready")
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> isReady() || !isAlive());
		if (!isReady()) {
			throw new IllegalStateException("%s ended at its start: see %s".formatted(this.name, this.directory));
		}
		Awaitility.await("the clock of " + this.name)
			.atMost(Duration.ofSeconds(10))
			.pollInterval(Duration.ofMillis(1))
			.until(() -> !isAlive() || ageOfLatestSample() < SAME_CLOCK);
	}

	boolean isReady() {
		return ready() != Life.NEVER;
	}

	private long ready() {
		return find(Entry.READY, 0).map(Diary.Line::at).orElse(Life.NEVER);
	}

	private long ageOfLatestSample() {
		long latest = latest().map((answers) -> answers.last().after()).orElse(0L);
		long age = System.nanoTime() - latest;
		if (age < 0) {
			throw new IllegalStateException(
					"The clock of %s is ahead by %d ns: this system has no clock that processes share"
						.formatted(this.name, -age));
		}
		return age;
	}

	private Optional<Diary.Line> find(Entry what, long after) {
		return diary().stream().filter((line) -> line.what() == what && line.at() >= after).findFirst();
	}

	List<Diary.Line> diary() {
		return Diary.read(this.directory.resolve(NodeProgram.DIARY));
	}

	List<Answers> answers() {
		return samples().map((log) -> log.answers(this.name)).orElse(List.of());
	}

	private Optional<Answers> latest() {
		return samples().flatMap((log) -> log.latest(this.name));
	}

	private synchronized Optional<SampleLog> samples() {
		if (this.samples == null) {
			this.samples = SampleLog.open(this.directory.resolve(NodeProgram.SAMPLES)).orElse(null);
		}
		return Optional.ofNullable(this.samples);
	}

	/** Whether it leads, by its own last word. */
	synchronized boolean leads() {
		return isAlive() && latest().filter(Answers::leader).isPresent();
	}

	/** Has it begin a write, and says whether it has. */
	boolean beginWrite() {
		long before = System.nanoTime();
		tell(NodeProgram.PAUSE);
		try {
			Awaitility.await()
				.pollInterval(Duration.ofMillis(1))
				.atMost(Duration.ofSeconds(1))
				.until(() -> find(Entry.PAUSED, before).isPresent());
			return true;
		}
		catch (ConditionTimeoutException ex) {
			// it has lost the leadership meanwhile
			return false;
		}
	}

	void goOnWriting() {
		tell(NodeProgram.GO_ON);
	}

	private void tell(String order) {
		try {
			this.process.getOutputStream().write((order + "\n").getBytes(StandardCharsets.UTF_8));
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** SIGSTOP. Returns when all its threads are known to stand still. */
	void stop() {
		Signals.send("STOP", this.process.pid());
		Awaitility.await().pollInterval(Duration.ofMillis(1)).atMost(PATIENCE).until(() -> !isAlive() || standsStill());
	}

	private boolean standsStill() throws IOException {
		try (Stream<Path> threads = Files.list(Path.of("/proc/%d/task".formatted(this.process.pid())))) {
			return threads.allMatch((thread) -> {
				try {
					String stat = Files.readString(thread.resolve("stat"));
					return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
		}
	}

	/** SIGCONT. */
	void resume() {
		Signals.send("CONT", this.process.pid());
	}

	/** SIGTERM. By the handle, since otherwise nobody would read its output any more. */
	void terminate() {
		this.process.toHandle().destroy();
	}

	/** SIGKILL. */
	void kill() {
		this.process.toHandle().destroyForcibly();
	}

	void awaitEnd() {
		Awaitility.await("the end of " + this.name).atMost(PATIENCE).until(this.ended::isDone);
	}

	Life life() {
		return new Life(this.name, this.node, this.started, ready(), this.ended.getNow(System.nanoTime()));
	}

}
