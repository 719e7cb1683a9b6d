package io.leaderelection.nodes;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.leaderelection.servers.Signals;
import org.awaitility.Awaitility;

/**
 * A {@link NodeApplication} in a JVM of its own, driven by signals.
 */
public final class NodeProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/** For tests, in which processes start all the time and live for seconds. */
	private static final String QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

	private static final Pattern UNUSED = Pattern
		.compile("h2-|hibernate-|spring-data-jpa|spring-integration|spring-security|tomcat-|spring-web|"
				+ "spring-boot-(actuator|data-jpa|docker|health|hibernate|http|jackson|jpa|micrometer|reactor|restclient|security|"
				+ "servlet|test|tomcat|web)");

	private static final Pattern OTHER_STORES = Pattern
		.compile("lettuce-|spring-data-|spring-boot-data-redis|curator-|zookeeper-|jetcd-|kubernetes-|dynamodb");

	private final Process process;

	private final List<Said> said = new CopyOnWriteArrayList<>();

	private final List<String> output = new CopyOnWriteArrayList<>();

	private final String id;

	private NodeProcess(String id, Process process) {
		this.id = id;
		this.process = process;
		Thread reader = new Thread(this::read, "output of " + process.pid());
		reader.setDaemon(true);
		reader.start();
	}

	public static NodeProcess start(String nodeId, List<String> properties) {
		List<String> arguments = new ArrayList<>(List.of("--leader-election.node-id=" + nodeId));
		properties.forEach((property) -> arguments.add("--" + property));
		try {
			return new NodeProcess(nodeId,
					new ProcessBuilder(command(NodeApplication.class, arguments)).redirectErrorStream(true).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * What runs an application of the tests.
	 * @param application its main class
	 * @param arguments its arguments
	 * @return the command
	 */
	public static List<String> command(Class<?> application, List<String> arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath(arguments),
						application.getName(), "--spring.main.keep-alive=true",
						"--spring.main.web-application-type=none", "--spring.docker.compose.enabled=false"));
		command.addAll(arguments);
		Arrays.stream(System.getProperty("node.options", QUICK_START).split(" "))
			.filter((option) -> !option.isEmpty())
			.forEach((option) -> command.add(1, option));
		return command;
	}

	/** What an application of this kind would have, and not all that is tested here. */
	private static String classPath(List<String> arguments) {
		boolean database = arguments.stream().anyMatch((argument) -> argument.startsWith("--spring.datasource."));
		boolean nothingElse = arguments.contains("--leader-election.backend=jdbc");
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator)).filter((entry) -> {
			String file = Path.of(entry).getFileName().toString();
			return !UNUSED.matcher(file).lookingAt() && (database || !file.startsWith("spring-boot-jdbc"))
					&& !(nothingElse && OTHER_STORES.matcher(file).lookingAt());
		}).collect(Collectors.joining(File.pathSeparator));
	}

	private void read() {
		try (BufferedReader lines = this.process.inputReader()) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				this.output.add(line);
				Said.parse(line).ifPresent(this.said::add);
			}
		}
		catch (IOException ex) {
			this.output.add("the output ended: " + ex);
		}
	}

	/** Writes a line to the node's standard input. */
	public void tell(String line) {
		try {
			this.process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public String id() {
		return this.id;
	}

	/** Waits until the node has said something, and says when it did. */
	public Said await(String what) {
		return await(what, 0);
	}

	/** Waits until the node has said something after a moment. */
	public Said await(String what, long afterMicros) {
		Awaitility.await()
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> find(what, afterMicros).isPresent() || !this.process.isAlive());
		return find(what, afterMicros)
			.orElseThrow(() -> new AssertionError("%s ended and never said %s".formatted(this, what)));
	}

	public Optional<Said> find(String what, long afterMicros) {
		return this.said.stream().filter((one) -> one.what().equals(what) && one.micros() >= afterMicros).findFirst();
	}

	/** Waits until there is such a line in the log. */
	public void awaitLine(String part) {
		Awaitility.await("a line with \"%s\"".formatted(part))
			.atMost(PATIENCE)
			.until(() -> this.output.stream().anyMatch((line) -> line.contains(part)));
	}

	/** Whether it leads, by its own last word. */
	public boolean leads() {
		List<Said> changes = this.said.stream()
			.filter((one) -> one.what().equals("GAINED") || one.what().equals("LOST"))
			.toList();
		return this.process.isAlive() && !changes.isEmpty() && changes.get(changes.size() - 1).what().equals("GAINED");
	}

	/**
	 * As an operator or an orchestrator ends it: SIGTERM. By the handle, since the
	 * process would stop to listen to what it still has to say.
	 */
	public void terminate() {
		this.process.toHandle().destroy();
	}

	/** SIGKILL. */
	public void kill() {
		this.process.toHandle().destroyForcibly();
	}

	/** Stops it, or lets it go on. */
	public void signal(String name) {
		Signals.send(name, this.process.pid());
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
		try {
			this.process.waitFor(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public String toString() {
		return "process %d, which wrote: %s".formatted(this.process.pid(), String.join("\n", this.output));
	}

	/**
	 * Something that a node said.
	 *
	 * @param what the word
	 * @param token the token that it was about
	 * @param micros when, by the wall clock that all processes here share
	 */
	public record Said(String what, long token, long micros) {

		private static Optional<Said> parse(String line) {
			String[] parts = line.split(" ");
			if (parts.length != 4 || !parts[0].equals("@")) {
				return Optional.empty();
			}
			return Optional.of(new Said(parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3])));
		}

	}

}
