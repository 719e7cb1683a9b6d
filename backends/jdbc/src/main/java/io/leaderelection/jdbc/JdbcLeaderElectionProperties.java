package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.function.UnaryOperator;

import io.leaderelection.jdbc.session.SessionMode;
import io.leaderelection.jdbc.sql.LeaseTables;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.init.DatabaseInitializationProperties;

/**
 * Properties of leases in a relational database.
 */
@ConfigurationProperties("leader-election.jdbc")
class JdbcLeaderElectionProperties extends DatabaseInitializationProperties {

	private static final String PREFIX = "leader-election.jdbc.";

	static final String DEFAULT_SCHEMA_LOCATION = "classpath:io/leaderelection/jdbc/schemas/v1/schema-@@platform@@.sql";

	static final String FENCE_SCHEMA_LOCATION = "classpath:io/leaderelection/jdbc/schemas/v1/fence-@@platform@@.sql";

	/**
	 * Name of the table of the leases, optionally with its schema. The two other tables
	 * have the same name followed by '_EPOCH' and '_CANDIDATE'.
	 */
	private String tableName = "LEADER_ELECTION";

	/**
	 * Database whose SQL is used. Detected by default.
	 */
	private @Nullable JdbcDialect dialect;

	/**
	 * How long one statement may take, in whole seconds.
	 */
	private Duration queryTimeout = Duration.ofSeconds(2);

	/**
	 * Whether PostgreSQL's notifications tell a waiting node at once that a lease is
	 * free. They take one connection that is not the pool's.
	 */
	private boolean wakeUps = true;

	/**
	 * When a lease is free for others: when its time is over, or also as soon as
	 * PostgreSQL has seen the session of its holder end. Without a takeover delay, the
	 * latter leaves a window of milliseconds in which two nodes may consider themselves
	 * leader.
	 */
	private JdbcMode mode = JdbcMode.LEASE;

	/**
	 * How long a lease is left to its holder whose session has ended, or until its time
	 * is over. Only in mode 'session'; not at all by default.
	 */
	private @Nullable Duration takeoverDelay;

	@Override
	public String getDefaultSchemaLocation() {
		return DEFAULT_SCHEMA_LOCATION;
	}

	public String getTableName() {
		return this.tableName;
	}

	public void setTableName(String tableName) {
		this.tableName = require("table-name", tableName, (value) -> new LeaseTables(value).lease());
	}

	public @Nullable JdbcDialect getDialect() {
		return this.dialect;
	}

	public void setDialect(@Nullable JdbcDialect dialect) {
		this.dialect = dialect;
	}

	public Duration getQueryTimeout() {
		return this.queryTimeout;
	}

	public void setQueryTimeout(Duration queryTimeout) {
		this.queryTimeout = require("query-timeout", queryTimeout, LeaseDatabase::requireValidTimeout);
	}

	public boolean isWakeUps() {
		return this.wakeUps;
	}

	public void setWakeUps(boolean wakeUps) {
		this.wakeUps = wakeUps;
	}

	public JdbcMode getMode() {
		return this.mode;
	}

	public void setMode(JdbcMode mode) {
		this.mode = mode;
	}

	public @Nullable Duration getTakeoverDelay() {
		return this.takeoverDelay;
	}

	public void setTakeoverDelay(@Nullable Duration takeoverDelay) {
		this.takeoverDelay = (takeoverDelay != null)
				? require("takeover-delay", takeoverDelay, SessionMode::requireValidDelay) : null;
	}

	/** The delay that applies, which is one of the session mode alone. */
	Duration determineTakeoverDelay() {
		if (this.takeoverDelay == null) {
			return Duration.ZERO;
		}
		if (this.mode != JdbcMode.SESSION) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + "takeover-delay", this.takeoverDelay,
					"It has no effect unless " + PREFIX + "mode is 'session'. Remove it, or set the mode.");
		}
		return this.takeoverDelay;
	}

	private static <T> T require(String property, T value, UnaryOperator<T> check) {
		try {
			return check.apply(value);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + property, value, ex.getMessage());
		}
	}

}
