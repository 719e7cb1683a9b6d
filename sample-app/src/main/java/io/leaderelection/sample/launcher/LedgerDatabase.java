package io.leaderelection.sample.launcher;

import java.nio.file.Path;
import java.sql.SQLException;

import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;

/**
 * A database file that this process opens for all nodes. Were it one of the nodes that
 * opens it, all others would stand still while that one is frozen.
 */
final class LedgerDatabase {

	private final Path directory;

	private @Nullable Server server;

	LedgerDatabase(Path directory) {
		this.directory = directory;
	}

	/**
	 * Starts it, on a free port of this machine.
	 * @return its URL
	 */
	String start() throws SQLException {
		Server started = Server
			.createTcpServer("-tcpPort", "0", "-tcpDaemon", "-ifNotExists", "-baseDir", this.directory.toString())
			.start();
		this.server = started;
		return "jdbc:h2:tcp://localhost:%d/./ledger;DB_CLOSE_DELAY=-1".formatted(started.getPort());
	}

	void stop() {
		if (this.server != null) {
			this.server.stop();
		}
	}

}
