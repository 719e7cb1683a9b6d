package io.leaderelection.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;

import org.springframework.util.FileSystemUtils;

/**
 * A ZooKeeper server in a process of its own. What it writes is not forced to the disk,
 * which outlives a process all the same.
 */
public final class ZooKeeperProcess implements AutoCloseable {

	/** By name, since the compiler lacks an annotation of the class. */
	private static final String PROGRAM = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

	private final Path directory;

	private final int port;

	private final boolean alone;

	private Process process;

	private ZooKeeperProcess(Path directory, int port, boolean alone) {
		this.directory = directory;
		this.port = port;
		this.alone = alone;
	}

	/** Servers that know of each other, and are to be started. */
	public static List<ZooKeeperProcess> prepare(int count) {
		String peers = IntStream.rangeClosed(1, count)
			.mapToObj((i) -> "server.%d=127.0.0.1:%d:%d".formatted(i, Ports.free(), Ports.free()))
			.collect(Collectors.joining("\n"));
		return IntStream.rangeClosed(1, count).mapToObj((i) -> prepare(i, (count > 1) ? peers : "")).toList();
	}

	private static ZooKeeperProcess prepare(int id, String peers) {
		try {
			Path directory = Files.createTempDirectory("zookeeper-");
			int port = Ports.free();
			Files.writeString(directory.resolve("myid"), Integer.toString(id));
			Files.writeString(directory.resolve("zoo.cfg"), """
					tickTime=2000
					initLimit=10
					syncLimit=5
					maxClientCnxns=0
					admin.enableServer=false
					4lw.commands.whitelist=*
					dataDir=%s
					clientPort=%d
					clientPortAddress=127.0.0.1
					%s
					""".formatted(directory, port, peers));
			return new ZooKeeperProcess(directory, port, peers.isEmpty());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public int port() {
		return this.port;
	}

	/** Begins to start. Those of an ensemble have to wait for each other. */
	public void start() {
		try {
			this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dzookeeper.forceSync=no", "-cp",
					classPath(), PROGRAM, this.directory.resolve("zoo.cfg").toString())
				.redirectErrorStream(true)
				.redirectOutput(this.directory.resolve("log").toFile())
				.start();
			Runtime.getRuntime().addShutdownHook(new Thread(this.process::destroyForcibly));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public void awaitServing() {
		Awaitility.await("the server in " + this.directory)
			.atMost(Duration.ofSeconds(60))
			.pollInterval(Duration.ofMillis(50))
			.ignoreExceptions()
			.until(() -> !mode().isEmpty());
	}

	/** Without a logger, which would write down everything. */
	private static String classPath() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !Path.of(entry).getFileName().toString().startsWith("logback-"))
			.collect(Collectors.joining(File.pathSeparator));
	}

	/** Whether the others of its ensemble follow it, or there are none. */
	public boolean leads() {
		return this.alone || mode().equals("leader");
	}

	private String mode() {
		return about("Mode: ");
	}

	public String version() {
		return about("Zookeeper version: ").replaceFirst("-.*", "");
	}

	private String about(String what) {
		return FourLetterWord.ask("srvr", this.port)
			.lines()
			.filter((line) -> line.startsWith(what))
			.map((line) -> line.substring(what.length()))
			.findFirst()
			.orElse("");
	}

	public void kill() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

	public void pause() {
		Signals.send("STOP", this.process.pid());
	}

	public void resume() {
		Signals.send("CONT", this.process.pid());
	}

	@Override
	public void close() {
		kill();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
