package io.leaderelection.jdbc.fence;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.CurrentLeadership;
import io.leaderelection.FencingToken;
import io.leaderelection.jdbc.TestFences;
import io.leaderelection.Leadership;
import io.leaderelection.nodes.StaleWrites;
import io.leaderelection.nodes.StaleWrites.Resource;
import io.leaderelection.nodes.Tenure;
import io.leaderelection.servers.Database;
import io.leaderelection.servers.TestDatabase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.transaction.TransactionDefinition;

/**
 * Transactions under old leaderships, fenced by themselves.
 */
class StaleTransactionsTests {

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "MARIADB")
	void noneIsCommitted(Database database) throws Exception {
		TestDatabase server = database.server();
		String table = server.createTables();
		server.execute("CREATE TABLE %s_COUNT (N BIGINT)".formatted(table));
		server.execute("INSERT INTO %s_COUNT VALUES (0)".formatted(table));
		server.execute("CREATE TABLE %s_HISTORY (N BIGINT, TOKEN BIGINT)".formatted(table));
		try (HikariDataSource pool = server.pool(16)) {
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			TransactionTemplate transaction = new TransactionTemplate(fenced(pool, table));
			transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			Resource resource = (token, meanwhile) -> under(token, () -> transaction.executeWithoutResult((status) -> {
				meanwhile.run();
				jdbc.update("UPDATE %s_COUNT SET N = N + 1".formatted(table));
				jdbc.update("INSERT INTO %1$s_HISTORY SELECT N, ? FROM %1$s_COUNT".formatted(table), token.value());
			}));
			StaleWrites.assertNoneIsAccepted("JDBC on " + database, resource,
					() -> jdbc.queryForList("SELECT TOKEN FROM %s_HISTORY ORDER BY N".formatted(table), Long.class));
		}
	}

	private static DataSourceTransactionManager fenced(HikariDataSource pool, String table) {
		DataSourceFences fences = TestFences.of((builder) -> builder.tableName(table));
		FencedTransactions transactions = new FencedTransactions(() -> fences);
		DataSourceTransactionManager manager = new DataSourceTransactionManager(pool);
		new FencedTransactionManagers(() -> transactions).postProcessAfterInitialization(manager, "manager");
		return manager;
	}

	private static void under(FencingToken token, Runnable work) {
		Leadership before = CurrentLeadership.set(new Tenure(token));
		try {
			work.run();
		}
		finally {
			CurrentLeadership.set(before);
		}
	}

}
