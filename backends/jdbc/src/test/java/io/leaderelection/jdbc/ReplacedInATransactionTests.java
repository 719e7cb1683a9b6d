package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.List;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.autoconfigure.FencingAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.fencing.FencingTokenService;
import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.servers.Database;
import io.leaderelection.servers.H2Memory;
import io.leaderelection.servers.TestDatabase;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.store.Owner;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Table;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application as users write it, whose leader is replaced while it has a transaction
 * open, as if it had been paused for longer than its lease. Nothing in it knows of
 * fences.
 */
class ReplacedInATransactionTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				TransactionAutoConfiguration.class, JdbcLeaderElectionAutoConfiguration.class,
				LeaderElectionAutoConfiguration.class, JdbcFenceAutoConfiguration.class,
				FencingAutoConfiguration.class))
		.withPropertyValues("leader-election.elections.reports.lease-duration=30s");

	@ParameterizedTest
	@EnumSource
	void theElectionLivesInTheSameDatabase(Database database) {
		TestDatabase server = database.server();
		String table = server.createTables();
		on(server, table).withPropertyValues("leader-election.backend=jdbc")
			.withUserConfiguration(PlainService.class)
			.run((context) -> {
				Consumer<Successor> takeover = (successor) -> server
					.execute("UPDATE %s SET EXPIRES_AT = 0".formatted(table));
				assertRefused(context, table, takeover);
			});
	}

	@Test
	void theElectionLivesInAnotherStore() {
		TestDatabase server = Database.POSTGRESQL.server();
		String table = server.createTables();
		on(server, table).withBean(LeaseStore.class, InMemoryLeaseStore::new)
			.withUserConfiguration(PlainService.class)
			.run((context) -> assertRefused(context, table, Successor::releaseForTheOther));
	}

	@Test
	void theTransactionIsOneOfJpa() {
		H2Memory server = new H2Memory();
		String table = "JPA";
		try (HikariDataSource pool = server.pool(1)) {
			TestDatabase.createTables(pool, table);
		}
		on(server, table).withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
			.withPropertyValues("leader-election.backend=jdbc", "spring.jpa.hibernate.ddl-auto=none")
			.withUserConfiguration(JpaService.class)
			.run((context) -> {
				assertThat(context).getBean(PlatformTransactionManager.class).isInstanceOf(JpaTransactionManager.class);
				assertRefused(context, table,
						(successor) -> server.execute("UPDATE %s SET EXPIRES_AT = 0".formatted(table)));
			});
	}

	private ApplicationContextRunner on(TestDatabase server, String table) {
		server.execute("CREATE TABLE %s_RESULT (ID INT PRIMARY KEY, TOKEN BIGINT)".formatted(table));
		server.execute("INSERT INTO %s_RESULT VALUES (1, 0)".formatted(table));
		return this.context.withPropertyValues("leader-election.jdbc.table-name=" + table,
				"spring.datasource.url=" + server.url(), "spring.datasource.username=" + server.user(),
				"spring.datasource.password=" + server.password());
	}

	private static void assertRefused(AssertableApplicationContext context, String table,
			Consumer<Successor> takeover) {
		assertThat(context).hasNotFailed();
		LeaderElector reports = context.getBean(LeaderElector.class);
		Awaitility.await().until(reports::isLeader);
		FencingToken first = reports.fencingToken().orElseThrow();
		Service service = context.getBean(Service.class);
		Successor successor = new Successor(context.getBean(LeaseStore.class));
		assertThatExceptionOfType(StaleLeaderException.class)
			.isThrownBy(() -> reports.executeAsLeader(() -> service.write(() -> {
				takeover.accept(successor);
				FencingToken second = successor.takeOver();
				assertThat(second.isNewerThan(first)).isTrue();
				assertThat(context.getBean(FencingTokenService.class).currentToken("reports")).contains(second);
				onOtherThread(() -> writeInTheNameOf(second, context, table));
			})))
			.satisfies((refusal) -> {
				assertThat(refusal.refused()).isEqualTo(first);
				assertThat(refusal.newest()).isEqualTo(successor.token);
			});
		assertThat(context.getBean(JdbcTemplate.class)
			.queryForObject("SELECT TOKEN FROM %s_RESULT".formatted(table), Long.class))
			.isEqualTo(successor.token.value());
		assertThat(context.getBean(StaleTokens.class).count()).isOne();
		Awaitility.await().until(() -> !reports.isLeader());
	}

	/** What the other node does: here it is this very application's fence. */
	private static void writeInTheNameOf(FencingToken token, AssertableApplicationContext context, String table) {
		context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
			context.getBean(JdbcTemplate.class)
				.update("UPDATE %s_RESULT SET TOKEN = ?".formatted(table), token.value());
			context.getBean(JdbcFence.class).check(token);
		});
	}

	private static void onOtherThread(Runnable work) {
		Thread thread = new Thread(work, "successor");
		thread.start();
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Another node that gets the lease. */
	private static final class Successor {

		private final Owner owner = new Owner("second", UUID.randomUUID().toString());

		private final LeaseStore store;

		private FencingToken token;

		private Successor(LeaseStore store) {
			this.store = store;
		}

		/** Takes the lease away from its holder, which does not notice. */
		private void releaseForTheOther() {
			LeaseView view = this.store.read("reports").orElseThrow();
			this.store.release(
					List.of(new Lease("reports", view.holder().orElseThrow(), view.token(), Duration.ofSeconds(30))));
		}

		private FencingToken takeOver() {
			Granted granted = (Granted) this.store
				.acquire(List.of(new AcquireRequest("reports", this.owner, Duration.ofSeconds(30), 0, false)))
				.get(0);
			this.token = new FencingToken("reports", granted.token());
			return this.token;
		}

	}

	/**
	 * A service of the application.
	 */
	interface Service {

		/** Writes the token of the leadership, after something has happened. */
		boolean write(Runnable meanwhile);

	}

	@Configuration(proxyBeanMethods = false)
	static class PlainService implements Service {

		private final JdbcTemplate jdbc;

		private final String table;

		PlainService(JdbcTemplate jdbc, JdbcLeaderElectionProperties properties) {
			this.jdbc = jdbc;
			this.table = properties.getTableName() + "_RESULT";
		}

		@Override
		@Transactional
		public boolean write(Runnable meanwhile) {
			this.jdbc.queryForList("SELECT TOKEN FROM " + this.table);
			meanwhile.run();
			this.jdbc.update("UPDATE %s SET TOKEN = ?".formatted(this.table),
					Leadership.current().orElseThrow().token().value());
			return true;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EntityScan(basePackageClasses = ReplacedInATransactionTests.class)
	static class JpaService {

		@Bean
		Service service() {
			return new JpaWriter();
		}

	}

	static class JpaWriter implements Service {

		@PersistenceContext
		private EntityManager entityManager;

		@Override
		@Transactional
		public boolean write(Runnable meanwhile) {
			Result result = this.entityManager.find(Result.class, 1);
			meanwhile.run();
			result.token = Leadership.current().orElseThrow().token().value();
			return true;
		}

	}

	/** What is written, flushed by the commit itself. */
	@Entity
	@Table(name = "JPA_RESULT")
	static class Result {

		@Id
		private int id;

		private long token;

	}

}
