package io.leaderelection.jdbc;

import java.sql.SQLException;
import java.util.Optional;

import io.leaderelection.store.LeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Tries whether a database can be used as the store is set up, without changing anything.
 */
final class StoreCheck {

	private final LeaseDatabase database;

	private final @Nullable SessionMode sessionMode;

	/**
	 * A check.
	 * @param database the database
	 * @param sessionMode how leases are bound to sessions, if they are
	 */
	StoreCheck(LeaseDatabase database, @Nullable SessionMode sessionMode) {
		this.database = database;
		this.sessionMode = sessionMode;
	}

	/**
	 * Tries it.
	 * @return the URL of the database, if it is one in the memory of this process
	 * @throws UnusableDatabaseException if it cannot be used
	 */
	Optional<String> run() {
		Optional<String> privateDatabase = this.database.call("check the tables", (connection, sql) -> {
			Optional<String> url = PrivateDatabase.of(connection.url());
			if (this.sessionMode != null && sql.dialect() != JdbcDialect.POSTGRESQL) {
				throw UnusableDatabaseException.noSessionsOn(sql.dialect());
			}
			checkTables(connection, sql);
			return url;
		});
		if (this.sessionMode != null) {
			this.sessionMode.tryOut(this::checkSession);
		}
		return privateDatabase;
	}

	private void checkTables(StoreConnection connection, LeaseStatements sql) throws SQLException {
		try {
			new SchemaCheck(connection, sql).run();
		}
		catch (SQLException ex) {
			if (SqlFailures.isStatementRefused(ex)) {
				LeaseStoreException explained = this.database.failure("check the tables", ex);
				throw (explained instanceof UnusableDatabaseException) ? explained
						: UnusableDatabaseException.refusedStatement(sql.dialect(), ex);
			}
			throw ex;
		}
	}

	private void checkSession(SessionConditions conditions) {
		this.database.call("check the session", (connection, sql) -> {
			LeaseStatements bound = sql.with(conditions);
			new SchemaCheck(connection, bound).run();
			try {
				connection.requireSession(bound);
			}
			catch (SessionEndedException ex) {
				throw UnusableDatabaseException.noSession(ex.getMessage(), ex);
			}
			return true;
		});
	}

}
