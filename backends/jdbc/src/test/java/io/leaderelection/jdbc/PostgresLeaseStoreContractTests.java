package io.leaderelection.jdbc;

import io.leaderelection.servers.PostgresServer;
import io.leaderelection.servers.TestDatabase;

/**
 * The contract of lease stores, on Postgres.
 */
class PostgresLeaseStoreContractTests extends AbstractJdbcLeaseStoreContract {

	private static final TestDatabase DATABASE = PostgresServer.shared();

	private static final String TABLE = DATABASE.createTables();

	PostgresLeaseStoreContractTests() {
		super(DATABASE, JdbcDialect.POSTGRESQL, TABLE);
	}

}
