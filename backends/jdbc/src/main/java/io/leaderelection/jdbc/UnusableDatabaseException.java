package io.leaderelection.jdbc;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.Collectors;

import io.leaderelection.jdbc.fence.FencedTransactionManagers;
import io.leaderelection.jdbc.session.UnusableSessionException;
import io.leaderelection.jdbc.sql.LeaseTables;
import io.leaderelection.store.ExplainedLeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The database cannot keep leases as it is: a table is missing or of another version, the
 * user lacks a right, or the product is not known. A retry does not help.
 */
class UnusableDatabaseException extends ExplainedLeaseStoreException {

	private static final long serialVersionUID = 1L;

	private UnusableDatabaseException(String problem, String action, @Nullable Throwable cause) {
		super(problem + ". " + action, problem, action, cause, true);
	}

	static UnusableDatabaseException missingTable(JdbcDialect dialect, LeaseTables tables, SQLException cause) {
		String names = "%s, %s and %s".formatted(tables.lease(), tables.epoch(), tables.candidate());
		return new UnusableDatabaseException(
				"The tables of the leader election (%s) are not there, not visible, or not of this version: %s"
					.formatted(names, cause.getMessage()),
				("Create them with '%s', by hand or by copying it into a Flyway or Liquibase migration, or let the "
						+ "application do it: leader-election.jdbc.initialize-schema=always. If they have another "
						+ "name or schema, set leader-election.jdbc.table-name (now '%s')")
					.formatted(script(JdbcLeaderElectionProperties.DEFAULT_SCHEMA_LOCATION, dialect), tables.lease()),
				cause);
	}

	static UnusableDatabaseException missingRight(LeaseTables tables, SQLException cause) {
		return new UnusableDatabaseException(
				"The database user lacks a right on the tables of the leader election: " + cause.getMessage(),
				("Connect to a writable server, and grant SELECT, INSERT and UPDATE on %s and %s, and SELECT, INSERT, "
						+ "UPDATE and DELETE on %s to the user, or give the leader election a DataSource of its own "
						+ "with @LeaderElectionDataSource")
					.formatted(tables.lease(), tables.epoch(), tables.candidate()),
				cause);
	}

	static UnusableDatabaseException refusedStatement(JdbcDialect dialect, SQLException cause) {
		return new UnusableDatabaseException(
				"The database refuses a statement of the leader election: " + cause.getMessage(),
				"Check leader-election.jdbc.dialect (in use: %s) and the version of the database"
					.formatted(dialect.platform()),
				cause);
	}

	static UnusableDatabaseException unknownProduct(String product) {
		return new UnusableDatabaseException("The leader election does not know the database '%s'".formatted(product),
				nameADialect(), null);
	}

	static UnusableDatabaseException privateDatabase(String url) {
		return new UnusableDatabaseException(
				("Leader election has no backend: the only possible one is jdbc, and its database %s is in the memory of "
						+ "this application alone, so that every instance would lead")
					.formatted(url),
				("Use a database that all instances reach. For development and tests, where every instance may lead, "
						+ "add one of these lines:%n%n\tleader-election.backend=jdbc%n\tleader-election.backend=local%n%n"
						+ "To start without leader election, add:%n%n\tleader-election.enabled=false")
					.formatted(),
				null);
	}

	static UnusableDatabaseException of(UnusableSessionException ex) {
		return new UnusableDatabaseException(String.valueOf(ex.getMessage()), ex.action(), ex.getCause());
	}

	static UnusableDatabaseException missingFence(JdbcDialect dialect, LeaseTables tables, SQLException cause) {
		return unfenced(
				(": the table %s, which keeps the highest token of each election, is not there, not visible, or not of "
						+ "this version: %s")
					.formatted(tables.epoch(), cause.getMessage()),
				("Create it in the database of the transactions with '%s', by hand or by copying it into a Flyway or "
						+ "Liquibase migration, or let the application do it: "
						+ "leader-election.jdbc.initialize-schema=always. If it has another name or schema, set "
						+ "leader-election.jdbc.table-name (now '%s')")
					.formatted(script(JdbcLeaderElectionProperties.FENCE_SCHEMA_LOCATION, dialect), tables.lease()),
				cause);
	}

	static UnusableDatabaseException missingFenceRight(LeaseTables tables, SQLException cause) {
		return unfenced(", since the database user lacks a right: " + cause.getMessage(),
				"Connect to a writable server, and grant SELECT, INSERT and UPDATE on %s to the user"
					.formatted(tables.epoch()),
				cause);
	}

	static UnusableDatabaseException refusedFence(JdbcDialect dialect, SQLException cause) {
		return unfenced(", since the database refuses a statement: " + cause.getMessage(),
				"Check leader-election.jdbc.dialect (in use: %s) and the version of the database"
					.formatted(dialect.platform()),
				cause);
	}

	static UnusableDatabaseException noFenceFor(String product) {
		return unfenced(", since the database '%s' is not known".formatted(product), nameADialect(), null);
	}

	private static UnusableDatabaseException unfenced(String problem, String action, @Nullable SQLException cause) {
		return new UnusableDatabaseException("Transactions of leaders cannot be fenced" + problem,
				"%s. To do without fenced transactions, set %s=false".formatted(action,
						FencedTransactionManagers.ENABLED),
				cause);
	}

	private static String nameADialect() {
		return "If it speaks the language of a known one (%s), name that one in leader-election.jdbc.dialect".formatted(
				Arrays.stream(JdbcDialect.values()).map(JdbcDialect::platform).collect(Collectors.joining(", ")));
	}

	private static String script(String location, JdbcDialect dialect) {
		return location.replace("@@platform@@", dialect.platform());
	}

}
