package io.leaderelection.jdbc.session;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/**
 * Leases can never be bound to a session as the application is configured. Internal: the
 * store throws what it explains.
 */
public final class UnusableSessionException extends SQLException {

	private static final long serialVersionUID = 1L;

	private static final String MODE = "leader-election.jdbc.mode is 'session', ";

	private final String action;

	private UnusableSessionException(String problem, String action, @Nullable Exception cause) {
		super(MODE + problem, cause);
		this.action = action + ", or let leases end by time alone: leader-election.jdbc.mode=lease";
	}

	public static UnusableSessionException otherDatabase(String platform) {
		return new UnusableSessionException("which needs PostgreSQL, but the database is " + platform,
				"Use PostgreSQL 14 or later", null);
	}

	static UnusableSessionException oldServer(String version) {
		return new UnusableSessionException(
				"which needs PostgreSQL 14 or later: version %s does not end idle sessions (idle_session_timeout)"
					.formatted(version),
				"Use a newer server", null);
	}

	static UnusableSessionException pooled() {
		return new UnusableSessionException(
				"but something between this application and PostgreSQL shares connections, such as PgBouncer: "
						+ "the session would not end with this process",
				"Give the leader election direct connections for its session, with @LeaderElectionDataSource or a "
						+ "JdbcLeaseStoreBuilderCustomizer (sessionFrom)",
				null);
	}

	static UnusableSessionException noConnection(@Nullable String why, @Nullable Exception cause) {
		return new UnusableSessionException(
				"but there can be no session beside the connections of the DataSource: " + why,
				"Give the leader election connections for its session with a JdbcLeaseStoreBuilderCustomizer (sessionFrom)",
				cause);
	}

	/** What to do about it. */
	public String action() {
		return this.action;
	}

}
