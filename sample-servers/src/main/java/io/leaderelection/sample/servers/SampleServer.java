package io.leaderelection.sample.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.apache.curator.test.TestingServer;
import redis.embedded.RedisServer;

/**
 * A Redis, a ZooKeeper or a PostgreSQL on a free port of this machine, from what Maven
 * Central carries. It ends with whoever started this process.
 */
public final class SampleServer {

	private SampleServer() {
	}

	/**
	 * Starts a server, says where it is, and runs until standard input ends.
	 * @param args {@code redis}, {@code zookeeper} or {@code jdbc}, and a directory for
	 * its files
	 */
	public static void main(String[] args) throws Exception {
		Path directory = Files.createDirectories(Path.of(args[1]));
		String address = switch (args[0]) {
			case "redis" -> startRedis();
			case "zookeeper" -> startZooKeeper(directory);
			case "jdbc" -> startPostgres(directory);
			default -> throw new IllegalArgumentException("There is no server for '%s'".formatted(args[0]));
		};
		System.out.println("ready: " + address);
		System.in.transferTo(OutputStream.nullOutputStream());
		System.exit(0);
	}

	private static String startRedis() throws IOException {
		int port = freePort();
		RedisServer server = RedisServer.builder().port(port).bind("127.0.0.1").setting("save \"\"").build();
		atExit(server::stop);
		server.start();
		return "localhost:" + port;
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private static String startZooKeeper(Path directory) throws Exception {
		TestingServer server = new TestingServer(-1, directory.toFile());
		atExit(server::close);
		return server.getConnectString();
	}

	private static String startPostgres(Path directory) throws IOException {
		EmbeddedPostgres server = EmbeddedPostgres.builder()
			.setDataDirectory(directory.resolve("data"))
			.setRegisterShutdownHook(false)
			.start();
		atExit(server::close);
		return "jdbc:postgresql://localhost:%d/postgres".formatted(server.getPort());
	}

	private static void atExit(Stop stop) {
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			try {
				stop.stop();
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}, "stop"));
	}

	private interface Stop {

		void stop() throws IOException;

	}

}
