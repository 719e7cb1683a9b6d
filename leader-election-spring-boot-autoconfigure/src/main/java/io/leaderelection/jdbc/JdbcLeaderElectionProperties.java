package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.init.DatabaseInitializationProperties;

/**
 * Properties of leases in a relational database.
 */
@ConfigurationProperties("leader-election.jdbc")
public class JdbcLeaderElectionProperties extends DatabaseInitializationProperties {

	static final String DEFAULT_SCHEMA_LOCATION = "classpath:io/leaderelection/jdbc/schemas/v1/schema-@@platform@@.sql";

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
		this.queryTimeout = require("query-timeout", queryTimeout, JdbcLeaseStore::requireValidTimeout);
	}

	public boolean isWakeUps() {
		return this.wakeUps;
	}

	public void setWakeUps(boolean wakeUps) {
		this.wakeUps = wakeUps;
	}

	private static <T> T require(String property, T value, UnaryOperator<T> check) {
		try {
			return check.apply(value);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException("leader-election.jdbc." + property, value,
					ex.getMessage());
		}
	}

}
