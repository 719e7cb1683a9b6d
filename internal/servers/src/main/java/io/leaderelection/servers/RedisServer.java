package io.leaderelection.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import io.leaderelection.servers.Ports;
import io.leaderelection.servers.Signals;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.embedded.RedisExecProvider;

/**
 * A Redis server in a process of its own, on a free port, with a directory of its own.
 */
public final class RedisServer implements AutoCloseable {

	public static final String HOST = "127.0.0.1";

	private static final File EXECUTABLE = extract();

	private final int port;

	private final Path directory;

	private final List<String> command;

	private Process process;

	private RedisServer(int port, Path directory, List<String> command) {
		this.port = port;
		this.directory = directory;
		this.command = command;
		this.process = launch();
	}

	private static File extract() {
		try {
			return RedisExecProvider.defaultProvider().get();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Starts a server that keeps nothing on disk, unless the options say otherwise.
	 * @param options options of the server, as on its command line
	 */
	public static RedisServer start(String... options) {
		int port = Ports.free();
		List<String> command = new ArrayList<>(List.of(EXECUTABLE.getAbsolutePath(), "--port", String.valueOf(port),
				"--bind", HOST, "--save", "", "--repl-diskless-sync-delay", "0"));
		command.addAll(List.of(options));
		RedisServer server = new RedisServer(port, newDirectory(), command).awaitAnswers();
		TestedServers.report("Redis", server.info("server", "redis_version"));
		return server;
	}

	/**
	 * Starts a Sentinel.
	 * @param configuration its configuration, without port and directory
	 */
	public static RedisServer startSentinel(String configuration) {
		int port = Ports.free();
		Path directory = newDirectory();
		try {
			Path file = Files.writeString(directory.resolve("sentinel.conf"),
					"port %d%nbind %s%n%s%n".formatted(port, HOST, configuration));
			return new RedisServer(port, directory,
					List.of(EXECUTABLE.getAbsolutePath(), file.toString(), "--sentinel"))
				.awaitAnswers();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path newDirectory() {
		try {
			return Files.createTempDirectory("redis-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Process launch() {
		try {
			Process launched = new ProcessBuilder(this.command).directory(this.directory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(this.directory.resolve("redis.log").toFile())
				.start();
			Runtime.getRuntime().addShutdownHook(new Thread(launched::destroyForcibly));
			return launched;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private RedisServer awaitAnswers() {
		Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(20)).until(() -> {
			if (!this.process.isAlive()) {
				throw new IllegalStateException(Files.readString(this.directory.resolve("redis.log")));
			}
			try {
				return "PONG".equals(ask(Jedis::ping));
			}
			catch (JedisException ex) {
				return false;
			}
		});
		return this;
	}

	public int port() {
		return this.port;
	}

	public String address() {
		return HOST + ":" + this.port;
	}

	public <T> T ask(Function<Jedis, T> question) {
		try (Jedis jedis = new Jedis(HOST, this.port, 5000)) {
			return question.apply(jedis);
		}
	}

	/** One line of an INFO section. */
	public String info(String section, String field) {
		return ask((jedis) -> jedis.info(section)).lines()
			.filter((line) -> line.startsWith(field + ":"))
			.map((line) -> line.substring(field.length() + 1))
			.findFirst()
			.orElse("");
	}

	public void kill() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

	public void startAgain() {
		this.process = launch();
		awaitAnswers();
	}

	public void pause() {
		signal("STOP");
	}

	public void resume() {
		signal("CONT");
	}

	private void signal(String name) {
		Signals.send(name, this.process.pid());
	}

	@Override
	public void close() {
		kill();
		try (Stream<Path> files = Files.walk(this.directory)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.deleteIfExists(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
