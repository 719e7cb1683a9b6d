package io.leaderelection.sample.launcher;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;

/**
 * {@code ./demo} in a process of its own, with the classes under test in place of a
 * build.
 */
final class RunningDemo implements AutoCloseable {

	static final Path REPOSITORY = rootAbove(Path.of("").toAbsolutePath());

	private static final Duration PATIENCE = Duration.ofSeconds(120);

	private final List<String> output = new CopyOnWriteArrayList<>();

	private final Set<ProcessHandle> family = new LinkedHashSet<>();

	private final Process process;

	private final int port;

	private RunningDemo(Process process, int port) {
		this.process = process;
		this.port = port;
		this.family.add(process.toHandle());
		Thread reader = new Thread(this::read, "output of the demo");
		reader.setDaemon(true);
		reader.start();
	}

	static RunningDemo start(Path directory, Map<String, String> environment, String... options) throws IOException {
		int port = freePorts(3);
		List<String> command = new ArrayList<>(List.of("bash", REPOSITORY.resolve("demo").toString(), "--jar",
				jar(directory).toString(), "--port", String.valueOf(port)));
		command.addAll(List.of(options));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
		builder.environment().putAll(environment);
		return new RunningDemo(builder.start(), port);
	}

	private static Path rootAbove(Path directory) {
		return Files.exists(directory.resolve("demo")) ? directory : rootAbove(directory.getParent());
	}

	/** The class path of this test without its own classes. */
	static List<String> classPath() {
		try {
			Path tests = Path.of(RunningDemo.class.getProtectionDomain().getCodeSource().getLocation().toURI());
			return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
				.filter((entry) -> !Path.of(entry).equals(tests))
				.toList();
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A jar with nothing but this class path. */
	private static Path jar(Path directory) throws IOException {
		Manifest manifest = new Manifest();
		manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
		manifest.getMainAttributes()
			.put(Attributes.Name.CLASS_PATH,
					classPath().stream()
						.map((entry) -> Path.of(entry).toUri().toString())
						.collect(Collectors.joining(" ")));
		Path jar = directory.resolve("sample-app.jar");
		try (OutputStream out = Files.newOutputStream(jar)) {
			new JarOutputStream(out, manifest).close();
		}
		return jar;
	}

	/** The first of some ports that are free, one after the other. */
	static int freePorts(int count) {
		for (int i = 0; i < 1000; i++) {
			int first = ThreadLocalRandom.current().nextInt(20_000, 32_000);
			if (areFree(first, count)) {
				return first;
			}
		}
		throw new IllegalStateException("There are no free ports");
	}

	private static boolean areFree(int first, int count) {
		for (int port = first; port < first + count; port++) {
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				socket.getLocalPort();
			}
			catch (IOException ex) {
				return false;
			}
		}
		return true;
	}

	private void read() {
		try (BufferedReader lines = this.process.inputReader()) {
			lines.lines().forEach(this.output::add);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Waits for a line, and takes note of the processes that there are by then. */
	RunningDemo await(String line) {
		Awaitility.await(line)
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(50))
			.until(() -> says(line) || !this.process.isAlive());
		if (!says(line)) {
			throw new AssertionError("The demo ended, and said: " + output());
		}
		this.process.descendants().forEach(this.family::add);
		return this;
	}

	boolean says(String text) {
		return this.output.stream().anyMatch((line) -> line.contains(text));
	}

	String output() {
		return String.join("\n", this.output);
	}

	String url(int node) {
		return "http://localhost:%d".formatted(this.port + node);
	}

	/** All processes that were seen, the script included. */
	Set<ProcessHandle> family() {
		return this.family;
	}

	/** The process of a node. */
	ProcessHandle node(String nodeId) {
		return this.process.descendants()
			.filter((process) -> process.info()
				.arguments()
				.stream()
				.flatMap(Arrays::stream)
				.anyMatch((argument) -> argument.endsWith("node-id=" + nodeId)))
			.findFirst()
			.orElseThrow();
	}

	/** As by {@code kill}, or by {@code kill -9}. */
	void end(boolean forcibly) {
		this.process.descendants().forEach(this.family::add);
		if (forcibly) {
			this.process.toHandle().destroyForcibly();
		}
		else {
			this.process.toHandle().destroy();
		}
	}

	int exitCode() throws InterruptedException {
		if (!this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
			throw new AssertionError("The demo does not end, and said: " + output());
		}
		return this.process.exitValue();
	}

	@Override
	public void close() {
		this.process.descendants().forEach(this.family::add);
		this.family.forEach(ProcessHandle::destroyForcibly);
	}

}
