package io.leaderelection.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.leaderelection.servers.Ports;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.util.FileSystemUtils;

/**
 * PostgreSQL from its own binaries.
 */
public final class PostgresServer extends TestDatabase {

	private static PostgresServer shared;

	private final Path data;

	private EmbeddedPostgres server;

	private PostgresServer() throws IOException {
		this.data = Files.createTempDirectory("leader-election-postgres").resolve("data");
		this.server = builder(this.data).setPort(Ports.free()).start();
		Runtime.getRuntime().addShutdownHook(new Thread(this::stop));
	}

	private void stop() {
		try {
			this.server.close();
			FileSystemUtils.deleteRecursively(this.data.getParent());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public static synchronized PostgresServer shared() {
		try {
			if (shared == null) {
				shared = new PostgresServer();
				shared.report();
			}
			return shared;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public static EmbeddedPostgres.Builder builder(Path data) {
		return EmbeddedPostgres.builder()
			.setDataDirectory(data)
			.setCleanDataDirectory(false)
			.setRegisterShutdownHook(false)
			.setServerConfig("fsync", "off")
			.setServerConfig("max_connections", "100")
			.setServerConfig("shared_preload_libraries", "pg_stat_statements");
	}

	public int port() {
		return this.server.getPort();
	}

	public Path data() {
		return this.data;
	}

	@Override
	public String url() {
		return "jdbc:postgresql://localhost:%d/postgres".formatted(this.server.getPort());
	}

	@Override
	public String user() {
		return "postgres";
	}

	@Override
	public String password() {
		return "postgres";
	}

	@Override
	public void restart() throws Exception {
		int port = this.server.getPort();
		this.server.close();
		this.server = builder(this.data).setPort(port).start();
	}

	@Override
	public void pause() throws Exception {
		signal("STOP", processes());
	}

	@Override
	public void resume() throws Exception {
		signal("CONT", processes());
	}

	private List<Long> processes() throws IOException {
		long postmaster = Long.parseLong(Files.readAllLines(this.data.resolve("postmaster.pid")).get(0).strip());
		List<Long> pids = new ArrayList<>(List.of(postmaster));
		ProcessHandle.of(postmaster).orElseThrow().descendants().forEach((process) -> pids.add(process.pid()));
		return pids;
	}

}
