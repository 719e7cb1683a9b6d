package io.leaderelection.jdbc;

import io.leaderelection.servers.MariaDbServer;
import io.leaderelection.servers.TestDatabase;
import org.junit.jupiter.api.Tag;

/**
 * The contract of lease stores, on MariaDb.
 */
@Tag("full")
class MariaDbLeaseStoreContractTests extends AbstractJdbcLeaseStoreContract {

	private static final TestDatabase DATABASE = MariaDbServer.shared();

	private static final String TABLE = DATABASE.createTables();

	MariaDbLeaseStoreContractTests() {
		super(DATABASE, JdbcDialect.MARIADB, TABLE);
	}

}
