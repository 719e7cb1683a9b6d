package io.leaderelection.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

/**
 * H2 in this process.
 */
public final class H2Memory extends TestDatabase {

	public static final H2Memory SHARED = new H2Memory();

	private final String url;

	/** The database lives as long as it has a connection. */
	private final Connection keptOpen;

	public H2Memory() {
		this("");
	}

	public H2Memory(String options) {
		this.url = "jdbc:h2:mem:%s%s".formatted(UUID.randomUUID(), options);
		try {
			this.keptOpen = DriverManager.getConnection(this.url, user(), password());
			TestedServers.report(this.keptOpen);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public String url() {
		return this.url;
	}

	@Override
	public String user() {
		return "sa";
	}

	@Override
	public String password() {
		return "";
	}

}
