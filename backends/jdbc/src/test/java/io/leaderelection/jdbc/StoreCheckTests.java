package io.leaderelection.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.jdbc.sql.LeaseTables;
import io.leaderelection.servers.H2Memory;
import io.leaderelection.servers.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
					sql.raiseEpoch(), sql.renew(), sql.forgetStandby(1));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:h2:mem:", "jdbc:h2:mem:test", "JDBC:H2:MEM:test", "jdbc:h2:memFS:test",
			"jdbc:h2:nioMemLZF:test", "jdbc:hsqldb:mem:test", "jdbc:hsqldb:.", "jdbc:derby:memory:test" })
	void aDatabaseInMemoryIsFound(String url) {
		assertThat(StoreCheck.inMemory(url)).contains(url);
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:h2:tcp://localhost:9092/mem:test", "jdbc:h2:ssl://localhost/mem:test",
			"jdbc:h2:file:./memory", "jdbc:h2:./mem", "jdbc:h2:~/mem:", "jdbc:hsqldb:hsql://localhost/mem",
			"jdbc:hsqldb:file:mem", "jdbc:derby://localhost/memory:test", "jdbc:derby:memories",
			"jdbc:postgresql://localhost/jdbc:h2:mem:", "" })
	void aDatabaseThatOthersReachIsNot(String url) {
		assertThat(StoreCheck.inMemory(url)).isEmpty();
	}

	@Test
	void whatFollowsTheNameIsNotTold() {
		assertThat(StoreCheck.inMemory("jdbc:h2:mem:test;USER=sa;PASSWORD=secret")).contains("jdbc:h2:mem:test");
		assertThat(StoreCheck.inMemory("jdbc:derby:memory:test;create=true")).contains("jdbc:derby:memory:test");
	}

	@Test
	void aDriverThatTellsNoUrlIsNotSuspected() {
		assertThat(StoreCheck.inMemory(null)).isEmpty();
	}

}
