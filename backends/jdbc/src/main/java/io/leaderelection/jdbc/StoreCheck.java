package io.leaderelection.jdbc;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaderelection.jdbc.session.SessionConditions;
import io.leaderelection.jdbc.session.SessionMode;
import io.leaderelection.jdbc.session.UnusableSessionException;
import io.leaderelection.jdbc.sql.LeaseTables;
import io.leaderelection.jdbc.sql.SqlFailures;
import io.leaderelection.jdbc.sql.StoreConnection;
import io.leaderelection.store.LeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a database can be used as the store is configured, without changing
 * anything.
 */
final class StoreCheck {

	/**
	 * The name for statements that are tried: no election and no node has a blank one.
	 */
	static final String PROBE = " ";

	private static final Pattern IN_MEMORY = Pattern.compile(
			"jdbc:(?:h2:(?:nio)?mem(?:fs|lzf)?:|hsqldb:(?:mem:|\\.)|derby:memory:)[^;?]*", Pattern.CASE_INSENSITIVE);

	private StoreCheck() {
	}

	/**
	 * Checks a database.
	 * @param database the database
	 * @param sessionMode how leases are bound to sessions, if they are
	 * @return the URL of the database, if it is one in the memory of this process
	 * @throws UnusableDatabaseException if it cannot be used
	 */
	static Optional<String> run(LeaseDatabase database, @Nullable SessionMode sessionMode) {
		Optional<String> inMemory = database.call("check the tables", (connection, sql) -> {
			Optional<String> url = inMemory(connection.url());
			if (sessionMode != null && sql.dialect() != JdbcDialect.POSTGRESQL) {
				throw UnusableSessionException.otherDatabase(sql.dialect().platform());
			}
			checkTables(database, connection, sql);
			return url;
		});
		if (sessionMode != null) {
			try {
				sessionMode.tryOut((conditions) -> checkSession(database, conditions));
			}
			catch (UnusableSessionException ex) {
				throw UnusableDatabaseException.of(ex);
			}
		}
		return inMemory;
	}

	private static void checkTables(LeaseDatabase database, StoreConnection connection, LeaseStatements sql)
			throws SQLException {
		try {
			runAll(connection, sql);
		}
		catch (SQLException ex) {
			if (SqlFailures.isStatementRefused(ex)) {
				LeaseStoreException explained = database.failure("check the tables", ex);
				throw (explained instanceof UnusableDatabaseException) ? explained
						: UnusableDatabaseException.refusedStatement(sql.dialect(), ex);
			}
			throw ex;
		}
	}

	private static void checkSession(LeaseDatabase database, SessionConditions conditions) {
		database.call("check the session", (connection, sql) -> {
			LeaseStatements bound = sql.with(conditions);
			runAll(connection, bound);
			conditions.requireUsable(connection);
			return true;
		});
	}

	/**
	 * Executes each statement of the store for an election that cannot exist. In place of
	 * inserts it executes those of nothing, which need the same columns and rights.
	 */
	private static void runAll(StoreConnection connection, LeaseStatements sql) throws SQLException {
		LeaseTables tables = sql.tables();
		connection.run(sql.now(), List.of());
		connection.run(sql.look(1), List.of(PROBE, PROBE));
		if (sql.looksAndTakes()) {
			connection.run(sql.lookAndTake(1), List.of(PROBE, 0L, 0L, PROBE, PROBE, PROBE, PROBE, PROBE, PROBE));
		}
		connection.run(sql.read(), List.of(PROBE));
		connection.run(sql.renew(), List.of(0L, 0L, PROBE, PROBE, PROBE, 0L));
		connection.run(sql.renewAll(1), List.of(PROBE, PROBE, PROBE, 0L, 0L));
		connection.run(sql.release(1), List.of(PROBE, PROBE, PROBE, 0L));
		connection.run(sql.transfer(), List.of(PROBE, 0L, 0L, PROBE, PROBE, PROBE, 0L));
		connection.run(sql.take(), List.of(0L, PROBE, PROBE, 0L, 0L, PROBE, 0L, PROBE));
		connection.run(sql.rewrite(), List.of(0L, PROBE, PROBE, 0L, 0L, PROBE, 0L));
		connection.run(sql.readEpochs(1), List.of(PROBE));
		connection.run(sql.raiseEpoch(), List.of(0L, PROBE, 0L));
		connection.run(sql.standBy(1), List.of(0L, PROBE, PROBE));
		connection.run(sql.leaveStandby(1), List.of(PROBE, PROBE));
		connection.run(sql.forgetStandby(1), List.of(PROBE));
		for (String table : List.of(tables.lease(), tables.epoch(), tables.candidate())) {
			connection.run(sql.insertNothing(table), List.of());
		}
		if (sql.sessions().isBound()) {
			connection.run(sql.quarantine(), List.of(0L, 0L, PROBE, 0L));
		}
		connection.inTransaction(() -> {
			connection.run(sql.lockEpochs(1), List.of(PROBE));
			return false;
		});
	}

	/**
	 * Recognizes a database in the memory of this process, which other nodes cannot
	 * reach.
	 * @param url the URL, as the driver returns it
	 * @return the URL without what may be secret; empty if others can reach the database,
	 * such as one in the memory of an H2 server
	 */
	static Optional<String> inMemory(@Nullable String url) {
		Matcher matcher = IN_MEMORY.matcher((url != null) ? url : "");
		return matcher.lookingAt() ? Optional.of(matcher.group()) : Optional.empty();
	}

}
