package io.leaderelection.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.nodes.FailureAnalyses;
import io.leaderelection.servers.H2Memory;
import io.leaderelection.servers.PostgresServer;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.store.Owner;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The configuration of leases in a relational database.
 */
@ExtendWith(OutputCaptureExtension.class)
class JdbcLeaderElectionAutoConfigurationTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
		.withConfiguration(AutoConfigurations.of(JdbcLeaderElectionAutoConfiguration.class))
		.withPropertyValues("leader-election.backend=jdbc");

	@Test
	void anEmbeddedDatabaseGetsItsTables() {
		this.context.run((context) -> {
			assertThat(context).hasSingleBean(JdbcLeaseStore.class);
			assertThat(acquire(context.getBean(LeaseStore.class))).isInstanceOf(AcquireResult.Granted.class);
			assertThat(count(context.getBean(DataSource.class), "LEADER_ELECTION")).isOne();
		});
	}

	@Test
	void theTablesHaveTheNameThatTheyAreGiven() {
		this.context.withPropertyValues("leader-election.jdbc.table-name=public.MY_LEADERS").run((context) -> {
			acquire(context.getBean(LeaseStore.class));
			DataSource dataSource = context.getBean(DataSource.class);
			assertThat(count(dataSource, "MY_LEADERS")).isOne();
			assertThat(count(dataSource, "MY_LEADERS_EPOCH")).isOne();
			assertThat(count(dataSource, "MY_LEADERS_CANDIDATE")).isZero();
		});
	}

	@Test
	void withoutTablesTheStartFailsAndSaysWhatToDo() {
		this.context.withPropertyValues("leader-election.jdbc.initialize-schema=never").run((context) -> {
			FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("LEADER_ELECTION, LEADER_ELECTION_EPOCH");
			assertThat(analysis.getAction()).contains("classpath:io/leaderelection/jdbc/schemas/v1/schema-h2.sql")
				.contains("leader-election.jdbc.initialize-schema=always");
		});
	}

	@Test
	void aDatabaseThatIsNotEmbeddedGetsNoTablesByItself() {
		String url = PostgresServer.shared().url();
		ApplicationContextRunner postgres = this.context.withPropertyValues("spring.datasource.url=" + url,
				"spring.datasource.username=postgres", "leader-election.jdbc.table-name=BY_CONFIGURATION");
		postgres.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getAction())
			.contains("schemas/v1/schema-postgresql.sql"));
		postgres.withPropertyValues("leader-election.jdbc.initialize-schema=always")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void tablesThatAScriptOfTheApplicationCreatesAreThereInTime() {
		this.context.withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
			.withPropertyValues("leader-election.jdbc.initialize-schema=never",
					"spring.sql.init.schema-locations=classpath:io/leaderelection/jdbc/schemas/v1/schema-h2.sql")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(JdbcLeaseStore.class));
	}

	@Test
	void aDataSourceOfItsOwnIsPreferred() {
		this.context.withUserConfiguration(TwoDataSources.class).run((context) -> {
			acquire(context.getBean(LeaseStore.class));
			assertThat(count(context.getBean("ownDataSource", DataSource.class), "LEADER_ELECTION")).isOne();
			assertThat(context.getBean("mainDataSource", NeverAsked.class).asked).isZero();
		});
	}

	/** Not even by the name that Spring Boot gives to the one that it makes. */
	@Test
	void ofTwoDatabasesNoneIsGuessed() {
		this.context.withBean("dataSource", NeverAsked.class)
			.withBean("archiveDataSource", NeverAsked.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(NoUniqueBeanDefinitionException.class)
				.hasMessageContainingAll("dataSource", "archiveDataSource"));
	}

	@Test
	void aTableNameThatIsNoIdentifierIsRefused() {
		for (String name : List.of("a b", "leader;drop", "a.b.c", "'x'", "x".repeat(54), "1st", "\"quoted\"")) {
			this.context.withPropertyValues("leader-election.jdbc.table-name=" + name).run((context) -> {
				assertThat(context).hasFailed();
				assertThat(context.getStartupFailure()).hasStackTraceContaining("leader-election.jdbc.table-name")
					.rootCause()
					.hasMessageContaining("must be a plain identifier")
					.hasMessageContaining(name);
			});
		}
	}

	@Test
	void aQueryTimeoutBelowASecondIsRefused() {
		this.context.withPropertyValues("leader-election.jdbc.query-timeout=500ms")
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("leader-election.jdbc.query-timeout")
				.rootCause()
				.hasMessageContaining("from 1 second to 1 hour"));
	}

	@Test
	void sessionsNeedPostgres() {
		this.context.withPropertyValues("leader-election.jdbc.mode=session").run((context) -> {
			FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("leader-election.jdbc.mode is 'session'").contains("h2");
			assertThat(analysis.getAction()).contains("PostgreSQL 14").contains("leader-election.jdbc.mode=lease");
		});
	}

	@Test
	void sessionsAreTriedAtTheStart() {
		ApplicationContextRunner postgres = this.context.withPropertyValues(
				"spring.datasource.url=" + PostgresServer.shared().url(), "spring.datasource.username=postgres",
				"leader-election.jdbc.table-name=BY_SESSIONS", "leader-election.jdbc.initialize-schema=always",
				"leader-election.jdbc.mode=session", "leader-election.jdbc.takeover-delay=200ms");
		postgres.run((context) -> {
			assertThat(acquire(context.getBean(LeaseStore.class))).isInstanceOf(AcquireResult.Granted.class);
			assertThat(context.getBean(LeaseStore.class).limits())
				.anySatisfy((limit) -> assertThat(limit).contains("session").contains("PT0.2S"));
		});
		postgres
			.withBean(JdbcLeaseStoreBuilderCustomizer.class,
					() -> (builder) -> builder.sessionFrom(new H2Memory().pool(1)))
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("the driver is not org.postgresql:postgresql"));
	}

	@Test
	void aTakeoverDelayThatCannotWorkIsRefused() {
		this.context.withPropertyValues("leader-election.jdbc.takeover-delay=1s")
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("leader-election.jdbc.takeover-delay")
				.rootCause()
				.hasMessageContaining("leader-election.jdbc.mode is 'session'"));
		this.context.withPropertyValues("leader-election.jdbc.mode=session", "leader-election.jdbc.takeover-delay=-1s")
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("leader-election.jdbc.takeover-delay")
				.rootCause()
				.hasMessageContaining("from 0 to 1 day"));
	}

	@Test
	void anotherStoreIsLeftAlone() {
		InMemoryLeaseStore store = new InMemoryLeaseStore();
		this.context.withBean(LeaseStore.class, () -> store)
			.run((context) -> assertThat(context.getBean(LeaseStore.class)).isSameAs(store));
	}

	@Test
	void theBuilderCanBeCustomized() {
		this.context
			.withBean(JdbcLeaseStoreBuilderCustomizer.class,
					() -> (builder) -> builder.tableName("ELSEWHERE").dialect(JdbcDialect.H2))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("ELSEWHERE"));
	}

	@Test
	void theDialectCanBeSaid() {
		this.context.withPropertyValues("leader-election.jdbc.dialect=h2")
			.run((context) -> assertThat(context).hasNotFailed());
		this.context.withPropertyValues("leader-election.jdbc.dialect=oracle")
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getAction())
				.contains("leader-election.jdbc.dialect")
				.contains("oracle"));
	}

	@Test
	void aDatabaseThatIsDownDoesNotStopTheStart(CapturedOutput output) {
		HikariDataSource closed = new H2Memory().pool(1);
		closed.close();
		this.context.withBean(DataSource.class, () -> closed)
			.withPropertyValues("leader-election.jdbc.initialize-schema=never")
			.run((context) -> {
				assertThat(context).hasSingleBean(JdbcLeaseStore.class);
				assertThat(output).contains("The tables of the leader election could not be checked");
			});
	}

	@Test
	void anUnknownProductIsExplained() {
		assertThat(JdbcDialect.ofProduct("Paradox")).isEmpty();
		FailureAnalysis analysis = FailureAnalyses.of(UnusableDatabaseException.unknownProduct("Paradox"));
		assertThat(analysis.getDescription()).contains("'Paradox'");
		assertThat(analysis.getAction()).contains("leader-election.jdbc.dialect").contains("sqlserver");
	}

	private static AcquireResult acquire(LeaseStore store) {
		return store
			.acquire(List.of(new AcquireRequest("reports", new Owner("node", "run"), Duration.ofSeconds(10), 0, true)))
			.get(0);
	}

	private static int count(DataSource dataSource, String table) {
		Integer count = new JdbcTemplate(dataSource).queryForObject("SELECT COUNT(*) FROM " + table, Integer.class);
		return (count != null) ? count : -1;
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDataSources {

		@Bean
		NeverAsked mainDataSource() {
			return new NeverAsked();
		}

		@Bean(defaultCandidate = false)
		@LeaderElectionDataSource
		HikariDataSource ownDataSource() {
			return new H2Memory().pool(2);
		}

	}

	static class NeverAsked extends DelegatingDataSource {

		private int asked;

		@Override
		public Connection getConnection() throws SQLException {
			this.asked++;
			throw new SQLException("not this one");
		}

		@Override
		public void afterPropertiesSet() {
		}

	}

}
