package io.leaderelection.jdbc.fence;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.CurrentLeadership;
import io.leaderelection.FencingToken;
import io.leaderelection.jdbc.TestFences;
import io.leaderelection.Leadership;
import io.leaderelection.nodes.Tenure;
import io.leaderelection.servers.Database;
import io.leaderelection.servers.H2Memory;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.hibernate.HibernateTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.transaction.TransactionDefinition;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Transactions of leaders that cannot be fenced, which is said once.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnfencedTransactionsTests {

	private final Leadership leadership = new Tenure(new FencingToken("reports", 1));

	private final DataSourceFences fences = TestFences.of((builder) -> builder);

	private final FencedTransactions fenced = new FencedTransactions(() -> this.fences);

	@Test
	void aDatabaseWithoutTheTableIsToldOfOnce(CapturedOutput output) {
		try (HikariDataSource bare = new H2Memory().pool(1)) {
			TransactionTemplate unfenced = fence(new DataSourceTransactionManager(bare), "bare");
			for (int i = 0; i < 2; i++) {
				underLeadership(() -> unfenced.executeWithoutResult((status) -> {
				}));
			}
		}
		assertThat(output.getAll().split("Transactions of 'bare' are NOT fenced", -1)).hasSize(2);
		assertThat(output).contains("leader-election.fencing.jdbc.enabled=false");
	}

	@ParameterizedTest
	@EnumSource
	void aDatabaseWithoutTheTableIsToldOfInATransactionAsWell(Database bare, CapturedOutput output) {
		String table = bare.server().createTables();
		try (HikariDataSource onlyOne = bare.server().pool(1)) {
			JdbcTemplate there = new JdbcTemplate(onlyOne);
			TransactionTemplate unfenced = fence(new DataSourceTransactionManager(onlyOne), "bare");
			unfenced.executeWithoutResult((status) -> {
				there.update("INSERT INTO %s_EPOCH VALUES ('joined', 1)".formatted(table));
				this.fenced.join(this.leadership);
			});
			assertThat(there.queryForList("SELECT TOKEN FROM %s_EPOCH".formatted(table), Long.class))
				.containsExactly(1L);
		}
		assertThat(output).contains("Transactions of 'bare' are NOT fenced");
	}

	@Test
	void aManagerOfSomethingElseIsToldOfOnce(CapturedOutput output) {
		TransactionTemplate unfenced = fence(new NoDatabase(), "queue");
		for (int i = 0; i < 2; i++) {
			underLeadership(() -> unfenced.executeWithoutResult((status) -> {
			}));
		}
		unfenced.executeWithoutResult((status) -> {
		});
		assertThat(output.getAll().split("Transactions of 'queue' .* are NOT fenced", -1)).hasSize(2);
	}

	@Test
	void aReactiveManagerIsToldOf(CapturedOutput output) {
		ReactiveTransactionManager reactive = Mockito.mock();
		assertThat(new FencedTransactionManagers(() -> this.fenced).postProcessAfterInitialization(reactive, "r2dbc"))
			.isSameAs(reactive);
		assertThat(output.getAll().split("Transactions of 'r2dbc' .* are NOT fenced", -1)).hasSize(2);
	}

	@Test
	void theManagersOfJpaAndHibernateTellTheirDatabase() {
		DataSource dataSource = new DriverManagerDataSource();
		JpaTransactionManager jpa = new JpaTransactionManager(Mockito.mock(EntityManagerFactory.class));
		jpa.setDataSource(dataSource);
		assertThat(FencedTransactionManagers.dataSource(jpa)).isSameAs(dataSource);
		HibernateTransactionManager hibernate = new HibernateTransactionManager(Mockito.mock(SessionFactory.class));
		hibernate.setDataSource(dataSource);
		assertThat(FencedTransactionManagers.dataSource(hibernate)).isSameAs(dataSource);
	}

	private TransactionTemplate fence(PlatformTransactionManager manager, String name) {
		new FencedTransactionManagers(() -> this.fenced).postProcessAfterInitialization(manager, name);
		return new TransactionTemplate(manager);
	}

	private void underLeadership(Runnable work) {
		Leadership before = CurrentLeadership.set(this.leadership);
		try {
			work.run();
		}
		finally {
			CurrentLeadership.set(before);
		}
	}

	/** A manager of transactions on something that is no database. */
	private static final class NoDatabase extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
