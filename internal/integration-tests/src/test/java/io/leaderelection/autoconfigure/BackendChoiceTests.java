package io.leaderelection.autoconfigure;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.etcd.jetcd.Client;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.leaderelection.LeaderElections;
import io.leaderelection.dynamodb.DynamoDbLeaderElectionAutoConfiguration;
import io.leaderelection.etcd.EtcdLeaderElectionAutoConfiguration;
import io.leaderelection.jdbc.JdbcLeaderElectionAutoConfiguration;
import io.leaderelection.kubernetes.KubernetesLeaderElectionAutoConfiguration;
import io.leaderelection.redis.RedisLeaderElectionAutoConfiguration;
import io.leaderelection.store.ExplainedLeaseStoreException;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.zookeeper.ZooKeeperLeaderElectionAutoConfiguration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport.ConditionAndOutcomes;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Which backend is used, and what is said when none can be.
 */
@ExtendWith(OutputCaptureExtension.class)
class BackendChoiceTests {

	@TempDir
	static Path files;

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class,
				DynamoDbLeaderElectionAutoConfiguration.class, EtcdLeaderElectionAutoConfiguration.class,
				JdbcLeaderElectionAutoConfiguration.class, KubernetesLeaderElectionAutoConfiguration.class,
				RedisLeaderElectionAutoConfiguration.class, ZooKeeperLeaderElectionAutoConfiguration.class))
		.withPropertyValues("leader-election.auto-startup=false", "leader-election.jdbc.initialize-schema=always");

	private final ApplicationContextRunner withRedis = this.application.withUserConfiguration(RedisUser.class);

	private final ApplicationContextRunner withDatabase = this.application.withUserConfiguration(DatabaseUser.class);

	@Test
	void aRedisConnectionFactoryAloneMeansRedis() {
		this.withRedis.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
			.extracting(LeaderElectionBackend::name)
			.isEqualTo("redis"));
	}

	@Test
	void aDataSourceAloneMeansJdbc() {
		this.withDatabase.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
			.extracting(LeaderElectionBackend::name)
			.isEqualTo("jdbc"));
	}

	@Test
	void theConditionReportSaysWhyABackendIsNotUsed() {
		this.withRedis.withUserConfiguration(DatabaseUser.class)
			.withPropertyValues("leader-election.backend=redis")
			.withClassLoader(new FilteredClassLoader(Client.class))
			.run((context) -> {
				Map<String, ConditionAndOutcomes> outcomes = ConditionEvaluationReport
					.get(context.getSourceApplicationContext().getBeanFactory())
					.getConditionAndOutcomesBySource();
				assertThat(outcomes.get(RedisLeaderElectionAutoConfiguration.class.getName()).isFullMatch()).isTrue();
				assertThat(messages(outcomes.get(JdbcLeaderElectionAutoConfiguration.class.getName())))
					.contains("leader-election.backend is redis");
				assertThat(messages(outcomes.get(EtcdLeaderElectionAutoConfiguration.class.getName())))
					.contains("did not find required class 'io.etcd.jetcd.Client'");
			});
	}

	private static String messages(ConditionAndOutcomes outcomes) {
		return outcomes.stream()
			.map((outcome) -> outcome.getOutcome().getMessage())
			.collect(Collectors.joining(System.lineSeparator()));
	}

	@Test
	void aCuratorFrameworkAloneMeansZooKeeper() {
		this.application.withUserConfiguration(ZooKeeperUser.class)
			.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
				.extracting(LeaderElectionBackend::name)
				.isEqualTo("zookeeper"));
	}

	@Test
	void aConnectStringAloneMeansZooKeeper() {
		this.application.withPropertyValues("leader-election.zookeeper.connect-string=localhost:1")
			.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
				.extracting(LeaderElectionBackend::name)
				.isEqualTo("zookeeper"));
	}

	@Test
	void aClientOfEtcdAloneMeansEtcd() {
		this.application.withBean(Client.class, () -> mock(Client.class))
			.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
				.extracting(LeaderElectionBackend::name)
				.isEqualTo("etcd"));
	}

	@Test
	void aClientOfKubernetesAloneMeansKubernetes() {
		this.application
			.withBean(KubernetesClient.class, () -> new KubernetesClientBuilder().withConfig(Config.empty()).build())
			.withPropertyValues("leader-election.kubernetes.namespace=default")
			.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
				.extracting(LeaderElectionBackend::name)
				.isEqualTo("kubernetes"));
	}

	@Test
	void aClusterMeansKubernetesAndTheClassPathAloneDoesNot() {
		this.application.run((context) -> assertThat(context).hasFailed());
		this.application
			.withPropertyValues("spring.main.cloud-platform=kubernetes", "leader-election.kubernetes.prefix=nobody-s",
					"leader-election.auto-startup=false")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(ExplainedLeaseStoreException.class)
				.hasMessageContaining("leader-election.kubernetes.namespace"));
	}

	@Test
	void endpointsAloneMeanEtcd() {
		for (String endpoints : new String[] { "endpoints=http://localhost:1,http://localhost:2",
				"endpoints[0]=http://localhost:1" }) {
			this.application.withPropertyValues("leader-election.etcd." + endpoints)
				.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
					.extracting(LeaderElectionBackend::name)
					.isEqualTo("etcd"));
		}
	}

	@Test
	void aClientOfDynamoDbOrARegionAloneMeansDynamoDb() {
		try (DynamoDbClient nowhere = DynamoDbClient.builder()
			.region(Region.EU_CENTRAL_1)
			.endpointOverride(URI.create("http://127.0.0.1:1"))
			.credentialsProvider(AnonymousCredentialsProvider.create())
			.build()) {
			this.application.withBean(DynamoDbClient.class, () -> nowhere, (bean) -> bean.setDestroyMethodName(""))
				.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
					.extracting(LeaderElectionBackend::name)
					.isEqualTo("dynamodb"));
		}
		this.application
			.withPropertyValues("leader-election.dynamodb.region=eu-central-1",
					"leader-election.dynamodb.endpoint=http://127.0.0.1:1")
			.withSystemProperties("aws.accessKeyId=any", "aws.secretAccessKey=thing")
			.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
				.extracting(LeaderElectionBackend::name)
				.isEqualTo("dynamodb"));
	}

	@Test
	void whatSpringBootConfiguresCounts() {
		this.application.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
			.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
				.extracting(LeaderElectionBackend::name)
				.isEqualTo("redis"));
		this.application.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=" + databaseUrl())
			.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
				.extracting(LeaderElectionBackend::name)
				.isEqualTo("jdbc"));
	}

	@Test
	void whatAParentContextHasCounts() {
		new ApplicationContextRunner().withUserConfiguration(RedisUser.class)
			.run((parent) -> this.application.withParent(parent)
				.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
					.extracting(LeaderElectionBackend::name)
					.isEqualTo("redis")));
	}

	@Test
	void aBeanThatIsNotForInjectionDoesNotCount() {
		this.application.withUserConfiguration(HiddenDatabaseUser.class)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("jdbc: there is no DataSource bean"));
	}

	@Test
	void theConfiguredOneOfSeveralIsUsed() {
		this.withRedis.withUserConfiguration(DatabaseUser.class)
			.withPropertyValues("leader-election.backend=jdbc")
			.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
				.extracting(LeaderElectionBackend::name)
				.isEqualTo("jdbc"));
	}

	@Test
	void anEmptyPropertyIsAsGoodAsNone() {
		this.withRedis.withPropertyValues("leader-election.backend=")
			.run((context) -> assertThat(context).getBean(LeaderElectionBackend.class)
				.extracting(LeaderElectionBackend::name)
				.isEqualTo("redis"));
	}

	@Test
	void severalPossibleOnesAreNotGuessedFrom() {
		this.withRedis.withUserConfiguration(DatabaseUser.class).run((context) -> {
			assertThat(context).hasFailed();
			UndecidedBackendException failure = failure(context.getStartupFailure());
			assertThat(failure).hasMessageContainingAll("several are possible",
					"redis: the RedisConnectionFactory bean 'redisConnectionFactory'",
					"jdbc: the DataSource bean 'dataSource'");
			assertThat(failure.getMessage()).doesNotContain("zookeeper");
			assertThat(failure.getAction()).contains("leader-election.backend=redis", "leader-election.backend=jdbc")
				.doesNotContain("zookeeper", "local");
		});
	}

	@Test
	void withNothingPossibleTheStartFails() {
		this.application
			.withClassLoader(new FilteredClassLoader(Client.class, CuratorFramework.class, DynamoDbClient.class))
			.run((context) -> {
				assertThat(context).hasFailed();
				UndecidedBackendException failure = failure(context.getStartupFailure());
				assertThat(failure).hasMessageContainingAll("none is possible",
						"redis: there is no RedisConnectionFactory bean", "jdbc: there is no DataSource bean",
						"etcd: io.etcd.jetcd.Client is not on the class path",
						"zookeeper: org.apache.curator.framework.CuratorFramework is not on the class path",
						"dynamodb: software.amazon.awssdk.services.dynamodb.DynamoDbClient is not on the class path");
				assertThat(failure.getAction()).contains("redis: Define a RedisConnectionFactory bean.",
						"etcd: Add the dependency io.etcd:jetcd-core.",
						"zookeeper: Add the dependency org.springframework.integration:spring-integration-zookeeper.",
						"leader-election.backend=local", "leader-election.enabled=false", "LeaseStore bean");
			});
	}

	@Test
	void aConfiguredBackendWithoutItsClassesFails() {
		this.application.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
			.withPropertyValues("leader-election.backend=redis")
			.run((context) -> {
				assertThat(context).hasFailed();
				UndecidedBackendException failure = failure(context.getStartupFailure());
				assertThat(failure).hasMessage("leader-election.backend is redis, but "
						+ "org.springframework.data.redis.connection.RedisConnectionFactory is not on the class path.");
				assertThat(failure.getAction())
					.contains("Add the dependency org.springframework.boot:spring-boot-starter-data-redis.");
			});
	}

	@Test
	void aConfiguredBackendWithoutItsBeanFailsThoughAnotherIsPossible() {
		this.withRedis.withPropertyValues("leader-election.backend=jdbc").run((context) -> {
			assertThat(context).hasFailed();
			UndecidedBackendException failure = failure(context.getStartupFailure());
			assertThat(failure).hasMessage("leader-election.backend is jdbc, but there is no DataSource bean.");
			assertThat(failure.getAction()).contains("Define a DataSource bean.");
		});
	}

	@Test
	void etcdWithNeitherBeanNorEndpointsFails() {
		this.application.withPropertyValues("leader-election.backend=etcd").run((context) -> {
			assertThat(context).hasFailed();
			UndecidedBackendException failure = failure(context.getStartupFailure());
			assertThat(failure).hasMessageContaining("there is no Client bean");
			assertThat(failure.getAction()).contains("leader-election.etcd.endpoints");
		});
	}

	@Test
	void dynamoDbWithNeitherBeanNorRegionFails() {
		this.application.withPropertyValues("leader-election.backend=dynamodb").run((context) -> {
			assertThat(context).hasFailed();
			UndecidedBackendException failure = failure(context.getStartupFailure());
			assertThat(failure).hasMessageContaining("there is no DynamoDbClient bean");
			assertThat(failure.getAction()).contains("leader-election.dynamodb.region");
		});
	}

	@Test
	void zooKeeperWithNeitherBeanNorConnectStringFails() {
		this.application.withPropertyValues("leader-election.backend=zookeeper").run((context) -> {
			assertThat(context).hasFailed();
			UndecidedBackendException failure = failure(context.getStartupFailure());
			assertThat(failure).hasMessageContaining("there is no CuratorFramework bean");
			assertThat(failure.getAction()).contains("leader-election.zookeeper.connect-string");
		});
	}

	@Test
	void aBeanThatComesTooLateIsNamed() {
		this.application.withConfiguration(AutoConfigurations.of(LateDatabaseAutoConfiguration.class))
			.run((context) -> {
				assertThat(context).hasFailed();
				UndecidedBackendException failure = failure(context.getStartupFailure());
				assertThat(failure).hasMessageContaining("the DataSource bean 'dataSource' was defined too late");
				assertThat(failure.getAction()).contains("before = LeaderElectionAutoConfiguration.class");
			});
	}

	@Test
	void localIsUsedWhenConfiguredAndWarnsOfIt(CapturedOutput output) {
		this.withRedis.withPropertyValues("leader-election.backend=local").run((context) -> {
			assertThat(context).getBean(LeaseStore.class).isInstanceOf(InMemoryLeaseStore.class);
			assertThat(output).containsOnlyOnce("leader-election.backend is local").contains("WARN");
		});
	}

	@Test
	void aLeaseStoreOfTheApplicationIsUsedWhateverElseIsPossible(CapturedOutput output) {
		this.withRedis.withUserConfiguration(DatabaseUser.class, StoreUser.class).run((context) -> {
			assertThat(context).hasSingleBean(LeaseStore.class)
				.hasBean("ownStore")
				.doesNotHaveBean(LeaderElectionBackend.class)
				.hasSingleBean(LeaderElections.class);
			assertThat(output).doesNotContain("has no effect");
		});
	}

	@Test
	void aLeaseStoreOfTheApplicationGoesBeforeThePropertyAndSaysSo(CapturedOutput output) {
		this.withRedis.withUserConfiguration(StoreUser.class)
			.withPropertyValues("leader-election.backend=redis")
			.run((context) -> {
				assertThat(context).hasSingleBean(LeaseStore.class).hasBean("ownStore");
				assertThat(output).contains("leader-election.backend=redis has no effect",
						InMemoryLeaseStore.class.getName());
			});
	}

	@Test
	void whoBringsTheElectionsNeedsNoBackend() {
		this.application.withUserConfiguration(ElectionsUser.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseStore.class));
	}

	@Test
	void nothingIsThereWhenDisabled() {
		this.application.withPropertyValues("leader-election.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(LeaderElections.class)
				.doesNotHaveBean(LeaderElectionProperties.class));
	}

	private static String databaseUrl() {
		return "jdbc:h2:file:" + files.resolve(UUID.randomUUID().toString());
	}

	static UndecidedBackendException failure(Throwable failure) {
		Throwable cause = failure;
		while (cause != null && !(cause instanceof UndecidedBackendException)) {
			cause = cause.getCause();
		}
		assertThat(cause).as("the cause in %s", failure).isNotNull();
		return (UndecidedBackendException) cause;
	}

	@Configuration(proxyBeanMethods = false)
	static class RedisUser {

		@Bean
		RedisConnectionFactory redisConnectionFactory() {
			return mock(RedisConnectionFactory.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DatabaseUser {

		@Bean
		DataSource dataSource() {
			JdbcDataSource dataSource = new JdbcDataSource();
			dataSource.setURL(databaseUrl());
			return dataSource;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HiddenDatabaseUser {

		@Bean(autowireCandidate = false)
		DataSource dataSource() {
			return new JdbcDataSource();
		}

	}

	@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
	static class LateDatabaseAutoConfiguration extends DatabaseUser {

	}

	@Configuration(proxyBeanMethods = false)
	static class ZooKeeperUser {

		@Bean
		CuratorFramework curator() {
			return CuratorFrameworkFactory.newClient("localhost:1", new RetryOneTime(1));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class StoreUser {

		@Bean
		LeaseStore ownStore() {
			return new InMemoryLeaseStore();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ElectionsUser {

		@Bean
		LeaderElections ownElections() {
			return LeaderElections.on(new InMemoryLeaseStore()).nodeId("own").build();
		}

	}

}
