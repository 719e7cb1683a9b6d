package io.leaderelection.autoconfigure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.leaderelection.FencingToken;
import io.leaderelection.jdbc.JdbcLeaderElectionAutoConfiguration;
import io.leaderelection.LeaderElector;
import io.leaderelection.redis.RedisLeaderElectionAutoConfiguration;
import io.leaderelection.zookeeper.ZooKeeperLeaderElectionAutoConfiguration;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.embedded.RedisServer;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.Banner;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.TestSocketUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that is closed as Spring Boot closes it gives its lease up while the
 * client of its store still works: the next leader does not wait for the lease to end,
 * which it would for longer than these tests may take.
 */
@Timeout(60)
class HandOverTests {

	/** H2 gives no hints, so that a candidate asks it at the renew interval. */
	private static final Map<String, Object> LONG_LEASE = Map.of("leader-election.lease-duration", "5m",
			"leader-election.renew-interval", "1s", "leader-election.elections.reports", "");

	private final List<ConfigurableApplicationContext> opened = new ArrayList<>();

	@AfterEach
	void closeAll() {
		this.opened.forEach(ConfigurableApplicationContext::close);
	}

	@Test
	void onRedis() throws Exception {
		int port = TestSocketUtils.findAvailableTcpPort();
		RedisServer server = RedisServer.builder().port(port).setting("bind 127.0.0.1").build();
		server.start();
		try {
			assertHandsOver(RedisApplication.class, Map.of("spring.data.redis.port", port));
		}
		finally {
			closeAll();
			server.stop();
		}
	}

	@Test
	void onADatabase() {
		assertHandsOver(DatabaseApplication.class, Map.of("spring.datasource.url",
				"jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()), "leader-election.backend", "jdbc"));
	}

	@Test
	void onZooKeeper() throws Exception {
		try (TestingServer server = new TestingServer()) {
			assertHandsOver(ZooKeeperApplication.class,
					Map.of("leader-election.zookeeper.connect-string", server.getConnectString()));
			closeAll();
		}
	}

	private void assertHandsOver(Class<?> application, Map<String, Object> properties) {
		ConfigurableApplicationContext one = run(application, properties);
		LeaderElector first = one.getBean("reports", LeaderElector.class);
		await().until(first::isLeader);
		FencingToken token = first.fencingToken().orElseThrow();
		LeaderElector second = run(application, properties).getBean("reports", LeaderElector.class);
		await().until(() -> second.getCurrentLeader().isPresent());
		assertThat(second.isLeader()).isFalse();
		one.close();
		await().until(second::isLeader);
		assertThat(second.fencingToken().orElseThrow().value()).isGreaterThan(token.value());
	}

	private ConfigurableApplicationContext run(Class<?> application, Map<String, Object> properties) {
		Map<String, Object> all = new LinkedHashMap<>(LONG_LEASE);
		all.putAll(properties);
		ConfigurableApplicationContext context = new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties(all)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run();
		this.opened.add(context);
		return context;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, RedisLeaderElectionAutoConfiguration.class,
			LeaderElectionAutoConfiguration.class })
	static class RedisApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, JdbcLeaderElectionAutoConfiguration.class,
			LeaderElectionAutoConfiguration.class })
	static class DatabaseApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ ZooKeeperLeaderElectionAutoConfiguration.class, LeaderElectionAutoConfiguration.class })
	static class ZooKeeperApplication {

	}

}
