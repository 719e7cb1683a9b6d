package io.leaderelection.nodes;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import javax.sql.DataSource;

import io.leaderelection.autoconfigure.FencingAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.FencingToken;
import io.leaderelection.jdbc.JdbcFenceAutoConfiguration;
import io.leaderelection.jdbc.JdbcLeaderElectionAutoConfiguration;
import io.leaderelection.LeaderElector;
import io.leaderelection.LossReason;
import io.leaderelection.redis.RedisFenceAutoConfiguration;
import io.leaderelection.redis.RedisLeaderElectionAutoConfiguration;
import io.leaderelection.servers.RedisServer;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.Transition;
import io.leaderelection.zookeeper.ZooKeeperFenceAutoConfiguration;
import io.leaderelection.zookeeper.ZooKeeperLeaderElectionAutoConfiguration;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A service with fenced transactions whose elections move to another store, and one that
 * shares its database with another application.
 */
class ChangeOfBackendTests {

	private static final long HOUR = 3_600_000_000L;

	private final JdbcDataSource database = new JdbcDataSource();

	private final JdbcTemplate written = new JdbcTemplate(this.database);

	@BeforeEach
	void createTable() {
		this.database.setURL("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
		this.database.setUser("sa");
		this.written.execute("CREATE TABLE WRITTEN (TOKEN BIGINT)");
	}

	@Test
	void aServiceMovesToOtherBackendsAndBack() throws Exception {
		try (RedisServer redis = RedisServer.start(); TestingServer zooKeeper = new TestingServer()) {
			for (String backend : List.of("jdbc", "redis", "zookeeper", "redis", "jdbc", "zookeeper", "jdbc")) {
				try (ConfigurableApplicationContext service = service("--leader-election.backend=" + backend,
						"--spring.data.redis.port=" + redis.port(),
						"--leader-election.zookeeper.connect-string=" + zooKeeper.getConnectString())) {
					assertThat(rejectedBeforeTheFirstWrite(service)).as(backend).isZero();
				}
			}
		}
		assertTokensRise();
	}

	@Test
	void aFenceThatIsAheadOfEveryStoreCostsOneWrite() throws Exception {
		try (RedisServer redis = RedisServer.start(); TestingServer zooKeeper = new TestingServer()) {
			for (String backend : List.of("jdbc", "redis", "zookeeper")) {
				try (ConfigurableApplicationContext service = service("--leader-election.backend=" + backend,
						"--spring.data.redis.port=" + redis.port(),
						"--leader-election.zookeeper.connect-string=" + zooKeeper.getConnectString())) {
					LeaderElector elector = elector(service);
					rejectedBeforeTheFirstWrite(service);
					this.written.update("UPDATE LEADER_ELECTION_EPOCH SET TOKEN = TOKEN + ?", HOUR);
					assertThat(rejectedBeforeTheFirstWrite(service)).as(backend).isOne();
					assertThat(elector.status().transitions()).extracting(Transition::reason)
						.contains(Optional.of(LossReason.TOKEN_REJECTED));
				}
			}
		}
		assertTokensRise();
	}

	@Test
	void aLocalApplicationOnTheSameDatabaseDisturbsNobody() throws Exception {
		try (RedisServer redis = RedisServer.start();
				ConfigurableApplicationContext service = service("--leader-election.backend=redis",
						"--spring.data.redis.port=" + redis.port())) {
			rejectedBeforeTheFirstWrite(service);
			FencingToken token = elector(service).fencingToken().orElseThrow();
			try (ConfigurableApplicationContext local = service("--leader-election.backend=local")) {
				assertThat(rejectedBeforeTheFirstWrite(local)).isZero();
				assertThat(rejectedBeforeTheFirstWrite(service)).isZero();
				assertThat(rejectedBeforeTheFirstWrite(local)).isZero();
			}
			assertThat(elector(service).fencingToken()).contains(token);
		}
	}

	private ConfigurableApplicationContext service(String... arguments) {
		return new SpringApplicationBuilder(Service.class)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DataSource.class,
					() -> this.database))
			.web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.run(arguments);
	}

	private static LeaderElector elector(ConfigurableApplicationContext service) {
		return service.getBean(LeaderElector.class);
	}

	/** How many transactions are rejected until one is committed. */
	private int rejectedBeforeTheFirstWrite(ConfigurableApplicationContext service) throws Exception {
		LeaderElector elector = elector(service);
		TransactionTemplate transaction = new TransactionTemplate(service.getBean(PlatformTransactionManager.class));
		for (int rejected = 0;; rejected++) {
			Awaitility.await().until(() -> elector.isLeader() && elector.status().fenceAhead().isEmpty());
			try {
				elector.executeAsLeader(() -> transaction.execute((status) -> this.written
					.update("INSERT INTO WRITTEN VALUES (?)", elector.fencingToken().orElseThrow().value())));
				return rejected;
			}
			catch (StaleLeaderException ex) {
				FencingToken refused = ex.refused();
				Awaitility.await().until(() -> !elector.fencingToken().equals(Optional.of(refused)));
			}
		}
	}

	private void assertTokensRise() {
		assertThat(this.written.queryForList("SELECT TOKEN FROM WRITTEN", Long.class)).isSorted();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceTransactionManagerAutoConfiguration.class, DataRedisAutoConfiguration.class,
			TransactionAutoConfiguration.class, JdbcLeaderElectionAutoConfiguration.class,
			RedisLeaderElectionAutoConfiguration.class, ZooKeeperLeaderElectionAutoConfiguration.class,
			LeaderElectionAutoConfiguration.class, JdbcFenceAutoConfiguration.class, RedisFenceAutoConfiguration.class,
			ZooKeeperFenceAutoConfiguration.class, FencingAutoConfiguration.class })
	static class Service {

	}

}
