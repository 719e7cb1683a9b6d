package io.leaderelection.servers;

import com.jayway.jsonpath.JsonPath;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.options.DeleteOption;
import io.leaderelection.servers.Ports;
import io.leaderelection.servers.Signals;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/**
 * An etcd server in a process of its own, on free ports, with a directory of its own. The
 * program has to be on the PATH; tests that need it are skipped otherwise.
 */
public final class EtcdServer implements AutoCloseable {

	public static final String HOST = "127.0.0.1";

	private final int port;

	private final Path directory;

	private final List<String> command;

	private final String scheme;

	private Process process;

	private EtcdServer(int port, Path directory, List<String> command, String scheme) {
		this.port = port;
		this.directory = directory;
		this.command = command;
		this.scheme = scheme;
		this.process = launch();
	}

	/** Starts a server, or skips the test. */
	public static EtcdServer start() {
		EtcdServer server = start("http").awaitHealth();
		TestedServers.report("etcd", JsonPath.read(server.get("/version"), "$.etcdserver"));
		return server;
	}

	/** Starts a server that wants clients to show a certificate, or skips the test. */
	public static EtcdServer startWithTls(Path ca, Path certificate, Path key) {
		return start("https", "--client-cert-auth", "--trusted-ca-file", ca.toString(), "--cert-file",
				certificate.toString(), "--key-file", key.toString());
	}

	private static EtcdServer start(String scheme, String... options) {
		String executable = executable().map(File::getPath)
			.orElseGet(() -> Assumptions
				.abort("There is no 'etcd' on the PATH: Debian has it in the package etcd-server, for example"));
		int port = Ports.free();
		String clients = "%s://%s:%d".formatted(scheme, HOST, port);
		String peers = "http://%s:%d".formatted(HOST, Ports.free());
		Path directory = newDirectory();
		List<String> command = new ArrayList<>(List.of(executable, "--name", "only", "--data-dir",
				directory.resolve("data").toString(), "--listen-client-urls", clients, "--advertise-client-urls",
				clients, "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster",
				"only=" + peers, "--logger", "zap"));
		command.addAll(List.of(options));
		return new EtcdServer(port, directory, command, scheme);
	}

	private static Optional<File> executable() {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.map((folder) -> new File(folder, "etcd"))
			.filter(File::canExecute)
			.findFirst();
	}

	/** In memory where there is such a place: etcd waits for the disk at every write. */
	private static Path newDirectory() {
		Path memory = Path.of("/dev/shm");
		try {
			return Files.isWritable(memory) ? Files.createTempDirectory(memory, "etcd-")
					: Files.createTempDirectory("etcd-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Process launch() {
		try {
			Process launched = new ProcessBuilder(this.command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.appendTo(this.directory.resolve("etcd.log").toFile()))
				.start();
			Runtime.getRuntime().addShutdownHook(new Thread(launched::destroyForcibly));
			return launched;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private EtcdServer awaitHealth() {
		Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(20)).until(() -> {
			if (!this.process.isAlive()) {
				throw new IllegalStateException(Files.readString(this.directory.resolve("etcd.log")));
			}
			try {
				return get("/health").contains("true");
			}
			catch (UncheckedIOException ex) {
				return false;
			}
		});
		return this;
	}

	private String get(String path) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(endpoint() + path))
			.timeout(Duration.ofSeconds(5))
			.build();
		try {
			return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/** How often a method was called since the server was started. */
	public long calls(String method) {
		return get("/metrics").lines()
			.filter((line) -> line.startsWith("grpc_server_started_total")
					&& line.contains("grpc_method=\"%s\"".formatted(method)))
			.mapToLong((line) -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
			.sum();
	}

	public int port() {
		return this.port;
	}

	public String endpoint() {
		return "%s://%s:%d".formatted(this.scheme, HOST, this.port);
	}

	public Client connect() {
		return connect(endpoint());
	}

	public static Client connect(String endpoint) {
		return Client.builder().endpoints(endpoint).waitForReady(false).build();
	}

	/** Deletes all keys that begin like this. */
	public static void deleteAll(Client client, String beginning) {
		DeleteOption all = DeleteOption.builder().isPrefix(true).build();
		client.getKVClient()
			.delete(ByteSequence.from(beginning.getBytes()), all)
			.orTimeout(10, TimeUnit.SECONDS)
			.join();
	}

	public void kill() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

	public void startAgain() {
		this.process = launch();
		awaitHealth();
	}

	/** Stops the server and starts it with an empty data directory. */
	public void wipe() {
		kill();
		delete(this.directory.resolve("data"));
		startAgain();
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
		delete(this.directory);
	}

	private static void delete(Path root) {
		try (Stream<Path> files = Files.walk(root)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.deleteIfExists(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
