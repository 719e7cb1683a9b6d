package io.leaderelection.servers;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.util.FileSystemUtils;

/**
 * A standby server that follows another one by streaming replication, until it is
 * promoted.
 */
public final class PostgresReplica implements AutoCloseable {

	/** What belongs to the running server, or comes with the stream. */
	private static final Set<String> OF_THE_OTHER = Set.of("postmaster.pid", "postmaster.opts", "epg-lock", "pg_wal");

	private final Path data;

	private final EmbeddedPostgres server;

	/**
	 * Copies the server and follows it.
	 * @param primary the server
	 * @param port where to reach it for the replication
	 */
	public PostgresReplica(PostgresServer primary, int port) throws IOException, SQLException {
		this.data = Files.createTempDirectory("leader-election-replica").resolve("data");
		backUp(primary);
		Files.createFile(this.data.resolve("standby.signal"));
		Files.writeString(this.data.resolve("postgresql.auto.conf"),
				"primary_conninfo = 'host=localhost port=%d user=postgres'%n".formatted(port),
				StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		this.server = PostgresServer.builder(this.data).setRegisterShutdownHook(true).setPort(Ports.free()).start();
	}

	private void backUp(PostgresServer primary) throws IOException, SQLException {
		try (Connection connection = DriverManager.getConnection(primary.url(), primary.user(), primary.password());
				Statement statement = connection.createStatement()) {
			statement.execute("SELECT pg_backup_start('replica', TRUE)");
			copy(primary.data());
			try (ResultSet row = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(FALSE)")) {
				row.next();
				Files.writeString(this.data.resolve("backup_label"), row.getString(1));
			}
		}
	}

	private void copy(Path from) throws IOException {
		Path to = Files.createDirectory(this.data,
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
		Files.createDirectory(to.resolve("pg_wal"));
		Files.walkFileTree(from, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
					throws IOException {
				if (OF_THE_OTHER.contains(from.relativize(directory).toString())) {
					return FileVisitResult.SKIP_SUBTREE;
				}
				return visitFile(directory, attributes);
			}

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
				Path relative = from.relativize(file);
				if (!relative.toString().isEmpty() && !OF_THE_OTHER.contains(relative.toString())) {
					try {
						Files.copy(file, to.resolve(relative));
					}
					catch (NoSuchFileException ex) {
						return visitFileFailed(file, ex);
					}
				}
				return FileVisitResult.CONTINUE;
			}

			/** The server drops files meanwhile, and the log that is replayed knows. */
			@Override
			public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
				if (failure instanceof NoSuchFileException) {
					return FileVisitResult.CONTINUE;
				}
				throw failure;
			}

		});
	}

	public int port() {
		return this.server.getPort();
	}

	public String url() {
		return "jdbc:postgresql://localhost:%d/postgres".formatted(port());
	}

	/** Waits until everything is here that the primary has committed. */
	public boolean hasReplayed(String position) throws SQLException {
		return query("SELECT pg_last_wal_replay_lsn() >= CAST('%s' AS pg_lsn)".formatted(position)).equals("t");
	}

	/** Ends the replication, and takes writes from now on, on a timeline of its own. */
	public void promote() throws SQLException {
		query("SELECT pg_promote(TRUE, 30)");
	}

	private String query(String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url(), "postgres", "postgres");
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getString(1);
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		FileSystemUtils.deleteRecursively(this.data.getParent());
	}

}
