package io.leaderelection.redis;

import java.time.Duration;
import java.util.Map;

import io.leaderelection.LeaderElector;
import io.leaderelection.actuate.LeaderElectionActuatorAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.servers.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The health of an application whose server goes away and comes back.
 */
@Timeout(60)
class RedisHealthTests {

	private static final Duration LEASE = Duration.ofSeconds(1);

	@Test
	void aServerThatIsGoneIsAnOutageAfterOneLease() {
		try (RedisServer server = RedisServer.start("--appendonly", "yes");
				ConfigurableApplicationContext context = run(server)) {
			HealthIndicator health = context.getBean(HealthIndicator.class);
			LeaderElector elector = context.getBean(LeaderElector.class);
			await().until(elector::isLeader);
			assertThat(health.health().getStatus()).isEqualTo(Status.UP);
			server.kill();
			await().pollInterval(Duration.ofMillis(20)).until(() -> isOutage(health.health()));
			assertThat(elector.isLeader()).isFalse();
			server.startAgain();
			await().until(() -> health.health().getStatus() == Status.UP);
			await().atMost(Duration.ofSeconds(20)).until(elector::isLeader);
			assertThat(unansweredFor(health.health())).isZero();
		}
	}

	/** Each look on the way has to fit to what it tells. */
	private static boolean isOutage(Health health) {
		Duration unanswered = unansweredFor(health);
		boolean outage = health.getStatus().equals(Status.DOWN);
		assertThat(outage).as("%s", health).isEqualTo(unanswered.compareTo(LEASE) > 0);
		return outage;
	}

	@SuppressWarnings("unchecked")
	private static Duration unansweredFor(Health health) {
		Map<String, Map<String, Object>> elections = (Map<String, Map<String, Object>>) health.getDetails()
			.get("elections");
		return (Duration) elections.get("default").getOrDefault("storeUnansweredFor", Duration.ZERO);
	}

	private static ConfigurableApplicationContext run(RedisServer server) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.data.redis.port=" + server.port(), "spring.data.redis.timeout=300ms",
					"leader-election.lease-duration=" + LEASE.toMillis() + "ms")
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, RedisLeaderElectionAutoConfiguration.class,
			LeaderElectionAutoConfiguration.class, LeaderElectionActuatorAutoConfiguration.class })
	static class Application {

	}

}
