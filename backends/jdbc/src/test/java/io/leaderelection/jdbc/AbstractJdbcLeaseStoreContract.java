package io.leaderelection.jdbc;

import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.jdbc.sql.LeaseTables;
import io.leaderelection.servers.TestDatabase;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.test.contract.HostileRecord;
import io.leaderelection.test.contract.LeaseStoreContract;
import org.junit.jupiter.api.AfterEach;

/**
 * The contract of lease stores, on a database.
 */
abstract class AbstractJdbcLeaseStoreContract extends LeaseStoreContract {

	private static final String NOW_PLUS_A_MINUTE = "(%s) + 60000000";

	private final TestDatabase database;

	private final JdbcDialect dialect;

	private final String table;

	private final List<HikariDataSource> pools = new ArrayList<>();

	AbstractJdbcLeaseStoreContract(TestDatabase database, JdbcDialect dialect, String table) {
		this.database = database;
		this.dialect = dialect;
		this.table = table;
	}

	@AfterEach
	void closePools() {
		this.pools.forEach(HikariDataSource::close);
	}

	@Override
	protected LeaseStore newStore() {
		return newStore(this.table);
	}

	@Override
	protected LeaseStore newStoreWithOtherPrefix() {
		return newStore(this.database.createTables());
	}

	private LeaseStore newStore(String table) {
		HikariDataSource pool = this.database.pool(4);
		this.pools.add(pool);
		return JdbcLeaseStore.on(pool).tableName(table).dialect(this.dialect).mode(mode()).build();
	}

	JdbcMode mode() {
		return JdbcMode.LEASE;
	}

	@Override
	protected void loseAllData() {
		LeaseTables tables = new LeaseTables(this.table);
		for (String name : List.of(tables.lease(), tables.epoch(), tables.candidate())) {
			this.database.execute("DELETE FROM " + name);
		}
	}

	@Override
	protected void plant(HostileRecord hostile, String election) {
		switch (hostile) {
			case GARBAGE -> plantGarbage(election);
			case NEGATIVE_TOKEN -> plantToken(election, -1);
			case HIGHEST_TOKEN -> plantToken(election, Long.MAX_VALUE);
			case OTHER_OWNER -> plantOwner(election, "stranger");
			case OWNER_WITH_CONTROL_CHARACTERS -> plantOwner(election, hostile.text());
			case DURATION_OVERFLOW -> plantNumber(election, "LEASE_DURATION");
			case END_OVERFLOW -> plantNumber(election, "EXPIRES_AT");
			default -> cannot("plant " + hostile + ", since the columns are numbers");
		}
	}

	/** The columns are numbers, so this is as bad as it gets. */
	private void plantGarbage(String election) {
		plantToken(election, Long.MIN_VALUE);
		this.database.execute(
				"UPDATE %s SET OWNER_NODE = '', OWNER_INCARNATION = '', EXPIRES_AT = ?, LEASE_DURATION = ? WHERE ELECTION = ?"
					.formatted(this.table),
				Long.MAX_VALUE, Long.MIN_VALUE, election);
	}

	private void plantToken(String election, long token) {
		if (this.database.execute("UPDATE %s SET TOKEN = ? WHERE ELECTION = ?".formatted(this.table), token,
				election) == 0) {
			this.database.execute("INSERT INTO %s (ELECTION, TOKEN, EXPIRES_AT, LEASE_DURATION) VALUES (?, ?, 0, 0)"
				.formatted(this.table), election, token);
		}
	}

	private void plantNumber(String election, String column) {
		this.database.execute("UPDATE %s SET %s = ? WHERE ELECTION = ?".formatted(this.table, column), Long.MAX_VALUE,
				election);
	}

	private void plantOwner(String election, String nodeId) {
		String until = NOW_PLUS_A_MINUTE.formatted(this.dialect.now());
		if (this.database.execute(
				("UPDATE %s SET OWNER_NODE = ?, OWNER_INCARNATION = 'x', "
						+ "RESERVED_FOR = NULL, EXPIRES_AT = %s WHERE ELECTION = ?")
					.formatted(this.table, until),
				nodeId, election) == 0) {
			this.database.execute(
					("INSERT INTO %s (ELECTION, TOKEN, OWNER_NODE, OWNER_INCARNATION, EXPIRES_AT, "
							+ "LEASE_DURATION) VALUES (?, 1, ?, 'x', %s, 60000000)")
						.formatted(this.table, until),
					election, nodeId);
		}
	}

	@Override
	protected void restartServer() {
		attempt(this.database::restart, "restart its server");
	}

	@Override
	protected void pauseServer() {
		attempt(this.database::pause, "pause its server");
	}

	@Override
	protected void resumeServer() {
		attempt(this.database::resume, "resume its server");
	}

	private void attempt(Action action, String what) {
		try {
			action.run();
		}
		catch (UnsupportedOperationException ex) {
			cannot(what);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private interface Action {

		void run() throws Exception;

	}

}
