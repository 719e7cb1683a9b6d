package io.leaderelection.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.servers.H2Memory;
import io.leaderelection.servers.TestDatabase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The check at the start executes what a takeover executes, and leaves nothing behind.
 */
class StoreCheckTests {

	@Test
	void theStatementsOfATakeoverAreTried() {
		H2Memory server = new H2Memory();
		try (HikariDataSource pool = server.pool(2)) {
			TestDatabase.createTables(pool, LeaseTables.DEFAULT);
			ObservedDataSource observed = new ObservedDataSource(pool);
			JdbcLeaseStore.on(observed).build().validate();
			LeaseStatements sql = new LeaseStatements(JdbcDialect.H2, new LeaseTables(LeaseTables.DEFAULT));
			assertThat(observed.executed()).contains(sql.now(), sql.lockEpochs(1), sql.readEpochs(1), sql.take(),
					sql.raiseEpoch(), sql.prolong(), sql.forgetStandby(1));
		}
	}

}
