package io.leaderelection.servers;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.servers.Ports;

import org.springframework.util.FileSystemUtils;

/**
 * A PgBouncer of the system's, which Maven Central does not carry.
 */
public final class PgBouncer implements AutoCloseable {

	private final Path directory;

	private final int port = Ports.free();

	private final Process process;

	private final TestDatabase server;

	public PgBouncer(PostgresServer server, String poolMode) throws IOException {
		this.server = server;
		this.directory = Files.createTempDirectory("leader-election-pgbouncer",
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
		Path users = Files.writeString(this.directory.resolve("users.txt"),
				"\"%s\" \"%s\"".formatted(server.user(), server.password()));
		Path configuration = Files.writeString(this.directory.resolve("pgbouncer.ini"), """
				[databases]
				postgres = host=127.0.0.1 port=%d
				[pgbouncer]
				listen_addr = 127.0.0.1
				listen_port = %d
				unix_socket_dir =
				auth_type = trust
				auth_file = %s
				pool_mode = %s
				ignore_startup_parameters = extra_float_digits
				""".formatted(server.port(), this.port, users, poolMode));
		List<String> command = new ArrayList<>(List.of(executable().orElseThrow().toString()));
		if (System.getProperty("user.name").equals("root")) {
			// which it refuses to run as
			command.addAll(List.of("-u", "nobody"));
		}
		command.add(configuration.toString());
		this.process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(this.directory.resolve("log").toFile())
			.start();
	}

	public static boolean isInstalled() {
		return executable().isPresent();
	}

	private static Optional<Path> executable() {
		return Stream.concat(Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of("/usr/sbin"))
			.map((directory) -> Path.of(directory, "pgbouncer"))
			.filter(Files::isExecutable)
			.findFirst();
	}

	/** A pool of connections through it. */
	public HikariDataSource pool(int size) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl("jdbc:postgresql://localhost:%d/postgres?prepareThreshold=0".formatted(this.port));
		pool.setUsername(this.server.user());
		pool.setPassword(this.server.password());
		pool.setMaximumPoolSize(size);
		// it may just have been started
		pool.setInitializationFailTimeout(10_000);
		return pool;
	}

	@Override
	public void close() throws IOException {
		this.process.destroy();
		this.process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
		FileSystemUtils.deleteRecursively(this.directory);
	}

}
