package io.leaderelection.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.function.Function;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import io.leaderelection.jdbc.session.SessionBinding;
import io.leaderelection.jdbc.session.UnusableSessionException;
import io.leaderelection.jdbc.sql.LeaseTables;
import io.leaderelection.jdbc.sql.SqlFailures;
import io.leaderelection.jdbc.sql.StoreConnection;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * The database of the leases. Each call uses a connection of its own, and its failures
 * are explained. The product is detected by the first call.
 */
final class LeaseDatabase {

	private final DataSource dataSource;

	private final LeaseTables tables;

	private final Duration queryTimeout;

	private volatile @Nullable LeaseStatements statements;

	LeaseDatabase(DataSource dataSource, LeaseTables tables, Duration queryTimeout, @Nullable JdbcDialect dialect) {
		this.dataSource = dataSource;
		this.tables = tables;
		this.queryTimeout = queryTimeout;
		this.statements = (dialect != null) ? new LeaseStatements(dialect, tables) : null;
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	LeaseTables tables() {
		return this.tables;
	}

	/** The dialect, once it is known. */
	@Nullable JdbcDialect dialect() {
		LeaseStatements present = this.statements;
		return (present != null) ? present.dialect() : null;
	}

	<T> T call(String purpose, Call<T> call) {
		return call(purpose, SessionBinding.NONE, call);
	}

	<T> T call(String purpose, SessionBinding binding, Call<T> call) {
		try (StoreConnection connection = open()) {
			return call.perform(connection, statements(connection).with(binding.conditions()));
		}
		catch (SQLException ex) {
			binding.failed(ex);
			throw failure(purpose, ex);
		}
	}

	/**
	 * Performs a call for each batch of requests on one connection. A batch has one owner
	 * and as many requests as go into one statement, always in the order of their
	 * elections, so that two transactions do not wait for each other.
	 */
	<T> void call(String purpose, SessionBinding binding, List<T> requests, Function<T, Owner> owner,
			Function<T, String> election, BatchCall<T> call) {
		call(purpose, binding, (connection, sql) -> {
			Map<Owner, List<T>> byOwner = new LinkedHashMap<>();
			for (T request : requests) {
				requireDistinguishable(election.apply(request));
				byOwner.computeIfAbsent(owner.apply(request), (key) -> new ArrayList<>()).add(request);
			}
			for (Map.Entry<Owner, List<T>> entry : byOwner.entrySet()) {
				List<T> sorted = entry.getValue();
				sorted.sort(Comparator.comparing(election));
				for (int i = 0; i < sorted.size(); i += LeaseStatements.MOST_ELECTIONS) {
					int end = Math.min(i + LeaseStatements.MOST_ELECTIONS, sorted.size());
					call.perform(connection, sql, entry.getKey(), sorted.subList(i, end));
				}
			}
			return true;
		});
	}

	private void requireDistinguishable(String election) {
		JdbcDialect dialect = dialect();
		if (dialect != null && !dialect.tellsNamesApart(election)) {
			throw new LeaseStoreException("%s cannot tell the election '%s' from one without the spaces at the end"
				.formatted(dialect, election));
		}
	}

	StoreConnection open() throws SQLException {
		return StoreConnection.open(this.dataSource, this.queryTimeout);
	}

	/** The statements for this product, unless a dialect was named. */
	LeaseStatements statements(String product, Function<String, UnusableDatabaseException> unknown) {
		LeaseStatements present = this.statements;
		if (present == null) {
			JdbcDialect dialect = JdbcDialect.ofProduct(product).orElseThrow(() -> unknown.apply(product));
			present = new LeaseStatements(dialect, this.tables);
			this.statements = present;
		}
		return present;
	}

	private LeaseStatements statements(StoreConnection connection) throws SQLException {
		LeaseStatements present = this.statements;
		return (present != null) ? present
				: statements(connection.productName(), UnusableDatabaseException::unknownProduct);
	}

	static Duration requireValidTimeout(Duration timeout) {
		if (timeout.compareTo(Duration.ofSeconds(1)) < 0 || timeout.compareTo(Duration.ofHours(1)) > 0) {
			throw new IllegalArgumentException("The query timeout must be from 1 second to 1 hour, but is " + timeout);
		}
		return timeout;
	}

	LeaseStoreException failure(String purpose, SQLException ex) {
		if (ex instanceof UnusableSessionException unusable) {
			return UnusableDatabaseException.of(unusable);
		}
		JdbcDialect dialect = dialect();
		if (dialect != null && SqlFailures.any(ex, dialect::isMissingTable)) {
			return UnusableDatabaseException.missingTable(dialect, this.tables, ex);
		}
		if (dialect != null && SqlFailures.any(ex, dialect::isMissingRight)) {
			return UnusableDatabaseException.missingRight(this.tables, ex);
		}
		return new LeaseStoreException(
				"Could not %s in table %s: %s".formatted(purpose, this.tables.lease(), ex.getMessage()), ex,
				SqlFailures.isAnswer(ex));
	}

	/**
	 * Uses a connection and its statements.
	 *
	 * @param <T> the result
	 */
	interface Call<T> {

		T perform(StoreConnection connection, LeaseStatements sql) throws SQLException;

	}

	/**
	 * Performs requests of one owner.
	 *
	 * @param <T> the type of request: a candidacy, a renewal, a lease
	 */
	interface BatchCall<T> {

		void perform(StoreConnection connection, LeaseStatements sql, Owner owner, List<T> batch) throws SQLException;

	}

}
