package io.leaderelection.jdbc;

import io.leaderelection.servers.H2Memory;
import io.leaderelection.servers.TestDatabase;

/**
 * The contract of lease stores, on H2.
 */
class H2LeaseStoreContractTests extends AbstractJdbcLeaseStoreContract {

	private static final TestDatabase DATABASE = new H2Memory();

	private static final String TABLE = DATABASE.createTables();

	H2LeaseStoreContractTests() {
		super(DATABASE, JdbcDialect.H2, TABLE);
	}

}
