package io.leaderelection.jdbc;

import io.leaderelection.servers.PostgresServer;
import io.leaderelection.servers.TestDatabase;

/**
 * The contract of lease stores, on Postgres, with leases that are bound to sessions. They
 * end by time too, so nothing of the contract is waived.
 */
class PostgresSessionContractTests extends AbstractJdbcLeaseStoreContract {

	private static final TestDatabase DATABASE = PostgresServer.shared();

	private static final String TABLE = DATABASE.createTables();

	PostgresSessionContractTests() {
		super(DATABASE, JdbcDialect.POSTGRESQL, TABLE);
	}

	@Override
	JdbcMode mode() {
		return JdbcMode.SESSION;
	}

}
