package io.leaderelection.autoconfigure;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

import javax.sql.DataSource;

import io.etcd.jetcd.Client;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.dynamodb.DynamoDbFence;
import io.leaderelection.dynamodb.DynamoDbFenceAutoConfiguration;
import io.leaderelection.etcd.EtcdFence;
import io.leaderelection.etcd.EtcdFenceAutoConfiguration;
import io.leaderelection.fencing.FencingTokenService;
import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.fencing.TransactionFence;
import io.leaderelection.jdbc.JdbcFence;
import io.leaderelection.jdbc.JdbcFenceAutoConfiguration;
import io.leaderelection.jdbc.JdbcLeaderElectionAutoConfiguration;
import io.leaderelection.redis.RedisFence;
import io.leaderelection.redis.RedisFenceAutoConfiguration;
import io.leaderelection.store.ExplainedLeaseStoreException;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.zookeeper.ZooKeeperFence;
import io.leaderelection.zookeeper.ZooKeeperFenceAutoConfiguration;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which fences an application gets.
 */
@ExtendWith(OutputCaptureExtension.class)
class FencingAutoConfigurationTests {

	private static final String SCRIPT = "schemas/v1/fence-h2.sql";

	private final ApplicationContextRunner elections = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JdbcLeaderElectionAutoConfiguration.class,
				LeaderElectionAutoConfiguration.class, DynamoDbFenceAutoConfiguration.class,
				EtcdFenceAutoConfiguration.class, JdbcFenceAutoConfiguration.class, RedisFenceAutoConfiguration.class,
				ZooKeeperFenceAutoConfiguration.class, FencingAutoConfiguration.class));

	private final ApplicationContextRunner context = this.elections.withBean(LeaseStore.class, InMemoryLeaseStore::new);

	private final ApplicationContextRunner database = withDatabase(this.context);

	private static ApplicationContextRunner withDatabase(ApplicationContextRunner context) {
		return context
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
					TransactionAutoConfiguration.class))
			.withPropertyValues("spring.datasource.generate-unique-name=true");
	}

	@Test
	void theTokensOfTheStoreCanBeAskedFor() {
		this.context.run((context) -> {
			assertThat(context).hasSingleBean(StaleTokens.class)
				.hasSingleBean(FencingTokenService.class)
				.doesNotHaveBean(JdbcFence.class)
				.doesNotHaveBean(RedisFence.class)
				.doesNotHaveBean(EtcdFence.class)
				.doesNotHaveBean(DynamoDbFence.class)
				.doesNotHaveBean(ZooKeeperFence.class);
			LeaderElector elector = context.getBean(LeaderElector.class);
			Awaitility.await().until(elector::isLeader);
			assertThat(context.getBean(FencingTokenService.class).currentToken("default"))
				.isEqualTo(elector.fencingToken());
		});
	}

	@Test
	void whatTheApplicationHasIsLeftAlone() {
		FencingTokenService own = new FencingTokenService(new InMemoryLeaseStore());
		this.context.withBean(FencingTokenService.class, () -> own)
			.run((context) -> assertThat(context.getBean(FencingTokenService.class)).isSameAs(own));
	}

	@Test
	void withoutElectionsThereIsNothingToFence() {
		this.database.withPropertyValues("leader-election.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(LeaderElections.class)
				.doesNotHaveBean(StaleTokens.class)
				.doesNotHaveBean(TransactionFence.class));
	}

	@Test
	void everyResourceGetsItsFence() {
		this.database.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
			.withBean(Client.class, () -> Mockito.mock(Client.class))
			.withBean(CuratorFramework.class, () -> Mockito.mock(CuratorFramework.class))
			.withBean(DynamoDbClient.class, () -> Mockito.mock(DynamoDbClient.class))
			.run((context) -> assertThat(context).hasSingleBean(JdbcFence.class)
				.hasSingleBean(TransactionFence.class)
				.hasSingleBean(RedisFence.class)
				.hasSingleBean(EtcdFence.class)
				.hasSingleBean(DynamoDbFence.class)
				.hasSingleBean(ZooKeeperFence.class));
	}

	@Test
	void whatIsNotOnTheClassPathIsNotMissed() {
		this.context
			.withClassLoader(new FilteredClassLoader(JdbcOperations.class, RedisConnectionFactory.class, Client.class,
					CuratorFramework.class, DynamoDbClient.class))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(StaleTokens.class));
	}

	@Test
	void anEmbeddedDatabaseGetsTheTableOfTheFenceAlone() {
		this.database.run((context) -> {
			assertThat(tables(context.getBean(JdbcTemplate.class))).containsExactly("LEADER_ELECTION_EPOCH");
			LeaderElector elector = context.getBean(LeaderElector.class);
			Awaitility.await().until(elector::isLeader);
			elector.executeAsLeader(() -> context.getBean(TransactionTemplate.class).execute((status) -> true));
			assertThat(context.getBean(JdbcTemplate.class)
				.queryForObject("SELECT TOKEN FROM LEADER_ELECTION_EPOCH", Long.class))
				.isEqualTo(elector.fencingToken().orElseThrow().value());
		});
	}

	@Test
	void theTableHasTheNameThatItIsGiven() {
		this.database.withPropertyValues("leader-election.jdbc.table-name=MY_LEADERS")
			.run((context) -> assertThat(tables(context.getBean(JdbcTemplate.class)))
				.containsExactly("MY_LEADERS_EPOCH"));
	}

	@Test
	void withElectionsInTheDatabaseTheTablesAreTheSame() {
		withDatabase(this.elections).withPropertyValues("leader-election.backend=jdbc")
			.run((context) -> assertThat(tables(context.getBean(JdbcTemplate.class)))
				.containsExactlyInAnyOrder("LEADER_ELECTION", "LEADER_ELECTION_CANDIDATE", "LEADER_ELECTION_EPOCH"));
	}

	@Test
	void withoutTheTableTheStartFailsAndSaysWhatToDo() {
		this.database.withPropertyValues("leader-election.jdbc.initialize-schema=never").run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).isInstanceOfSatisfying(ExplainedLeaseStoreException.class,
					(failure) -> {
						assertThat(failure.getProblem()).contains("LEADER_ELECTION_EPOCH");
						assertThat(failure.getAction()).contains(SCRIPT)
							.contains("leader-election.jdbc.initialize-schema=always")
							.contains("leader-election.fencing.jdbc.enabled=false");
					});
		});
	}

	@Test
	void aTransactionInWhichALeadersWorkBeginsIsFenced() {
		this.database.run((context) -> {
			LeaderElector elector = context.getBean(LeaderElector.class);
			Awaitility.await().until(elector::isLeader);
			TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
			long newer = elector.fencingToken().orElseThrow().value() + 1;
			Runnable work = () -> transaction.executeWithoutResult((status) -> execute(elector, () -> null));
			work.run();
			context.getBean(JdbcFence.class).announce(new FencingToken("default", newer));
			assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(work::run);
		});
	}

	private static void execute(LeaderElector elector, Callable<?> work) {
		try {
			elector.executeAsLeader(work);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void tokensOfLocalElectionsReachNoDatabase() {
		withDatabase(this.elections).withPropertyValues("leader-election.backend=local").run((context) -> {
			LeaderElector elector = context.getBean(LeaderElector.class);
			Awaitility.await().until(elector::isLeader);
			TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
			JdbcFence fence = context.getBean(JdbcFence.class);
			FencingToken token = elector.fencingToken().orElseThrow();
			elector.executeAsLeader(() -> transaction.execute((status) -> true));
			fence.announce(token);
			assertThat(context.getBean(JdbcTemplate.class)
				.queryForObject("SELECT COUNT(*) FROM LEADER_ELECTION_EPOCH", Long.class)).isZero();
			fence.announce(new FencingToken("default", token.value() + 1));
			assertThatExceptionOfType(StaleLeaderException.class)
				.isThrownBy(() -> transaction.executeWithoutResult((status) -> fence.check(token)));
			assertThat(context.getBean(StaleTokens.class).count()).isOne();
		});
	}

	@Test
	void localElectionsNeedNoTable() {
		this.database.withPropertyValues("leader-election.jdbc.initialize-schema=never")
			.run((context) -> assertThat(context).hasFailed());
		withDatabase(this.elections)
			.withPropertyValues("leader-election.backend=local", "leader-election.jdbc.initialize-schema=never")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aTableThatTheApplicationCreatesIsThereInTime() {
		this.database.withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
			.withPropertyValues("leader-election.jdbc.initialize-schema=never",
					"spring.sql.init.schema-locations=classpath:io/leaderelection/jdbc/" + SCRIPT)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void fencingAtCommitCanBeSwitchedOff() {
		this.database
			.withPropertyValues("leader-election.jdbc.initialize-schema=never",
					"leader-election.fencing.jdbc.enabled=false")
			.run((context) -> {
				assertThat(context).hasNotFailed()
					.hasSingleBean(JdbcFence.class)
					.doesNotHaveBean(TransactionFence.class);
				assertThat(context.getBean(ConfigurableTransactionManager.class).getTransactionExecutionListeners())
					.isEmpty();
			});
	}

	@Test
	void anEmbeddedDatabaseThatNobodyKnowsIsExplained() {
		this.database.withBean(DataSource.class, FencingAutoConfigurationTests::unknownDatabase).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).isInstanceOf(ExplainedLeaseStoreException.class)
				.hasMessageContaining("'Paradox' is not known")
				.hasMessageContaining("leader-election.fencing.jdbc.enabled=false");
		});
	}

	@Test
	void aDatabaseThatIsDownDoesNotStopTheStart(CapturedOutput output) {
		JdbcDataSource down = new JdbcDataSource();
		down.setURL("jdbc:h2:tcp://localhost:1/down");
		this.database.withBean(DataSource.class, () -> down).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("The table of the fence could not be checked");
		});
	}

	@Test
	void theMainTransactionManagerHasToBeFencedAndOthersAreIfTheyCan(CapturedOutput output) {
		this.context.withUserConfiguration(TwoDatabases.class)
			.withPropertyValues("leader-election.jdbc.initialize-schema=embedded")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				LeaderElector elector = context.getBean(LeaderElector.class);
				Awaitility.await().until(elector::isLeader);
				for (String manager : new String[] { "mainManager", "otherManager", "otherManager" }) {
					TransactionTemplate transaction = new TransactionTemplate(
							context.getBean(manager, PlatformTransactionManager.class));
					elector.executeAsLeader(() -> transaction.execute((status) -> true));
				}
				assertThat(output.getAll().split("Transactions of 'otherManager' are NOT fenced", -1)).hasSize(2);
				assertThat(output).doesNotContain("Transactions of 'mainManager' are NOT fenced");
			});
	}

	private static List<String> tables(JdbcTemplate jdbc) {
		return jdbc.queryForList("SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'PUBLIC'",
				String.class);
	}

	private static DataSource memory() {
		JdbcDataSource memory = new JdbcDataSource();
		memory.setURL("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
		memory.setUser("sa");
		return memory;
	}

	private static DataSource unknownDatabase() {
		DataSource unknown = Mockito.mock(DataSource.class, Mockito.RETURNS_DEEP_STUBS);
		try {
			Mockito.when(unknown.getConnection().getMetaData().getDatabaseProductName()).thenReturn("Paradox");
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
		return unknown;
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDatabases {

		@Bean
		@Primary
		DataSource mainDataSource() {
			return memory();
		}

		@Bean
		DataSource otherDataSource() {
			return memory();
		}

		@Bean
		@Primary
		DataSourceTransactionManager mainManager(DataSource mainDataSource) {
			return new DataSourceTransactionManager(mainDataSource);
		}

		@Bean
		DataSourceTransactionManager otherManager(@Qualifier("otherDataSource") DataSource otherDataSource) {
			return new DataSourceTransactionManager(otherDataSource);
		}

	}

}
