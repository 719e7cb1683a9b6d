package io.leaderelection.redis;

import java.time.Duration;

import io.leaderelection.servers.RedisServer;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Redis store in an application.
 */
class RedisLeaderElectionAutoConfigurationTests {

	private static RedisServer server;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
		.withConfiguration(AutoConfigurations.of(RedisLeaderElectionAutoConfiguration.class))
		.withPropertyValues("leader-election.backend=redis")
		.withPropertyValues("spring.data.redis.host=" + RedisServer.HOST, "spring.data.redis.port=" + server.port());

	@BeforeAll
	static void startServer() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void aStoreIsMadeOnTheApplicationsRedis(String client) {
		this.runner.withPropertyValues("spring.data.redis.client-type=" + client).run((context) -> {
			assertThat(context).hasSingleBean(LeaseStore.class).hasSingleBean(RedisLeaseStore.class);
			String election = "made with " + client;
			Candidate.of(context.getBean(LeaseStore.class), Duration.ofSeconds(5)).wins(election);
			assertThat(server.<Boolean>ask((jedis) -> jedis.exists("{leader-election}:" + election))).isTrue();
		});
	}

	@Test
	void thePrefixCanBeChosen() {
		this.runner.withPropertyValues("leader-election.redis.key-prefix=shop:elections").run((context) -> {
			Candidate.of(context.getBean(LeaseStore.class), Duration.ofSeconds(5)).wins("reports");
			assertThat(server.<Boolean>ask((jedis) -> jedis.exists("{shop:elections}:reports"))).isTrue();
			assertThat(server.<Boolean>ask((jedis) -> jedis.exists("{shop:elections}"))).isTrue();
		});
	}

	@Test
	void failoverDetectionCanBeSwitchedOff() {
		this.runner
			.withPropertyValues("leader-election.redis.key-prefix=undetected",
					"leader-election.redis.detect-failover=false")
			.run((context) -> {
				Candidate.of(context.getBean(LeaseStore.class), Duration.ofSeconds(5)).wins("reports");
				assertThat(server.<Boolean>ask((jedis) -> jedis.exists("{undetected}"))).isFalse();
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "with {braces}", "line\nbreak" })
	void aPrefixThatCannotWorkFailsTheStartWithTheNameOfTheProperty(String prefix) {
		this.runner.withPropertyValues("leader-election.redis.key-prefix=" + prefix)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class,
						(failure) -> assertThat(failure.getName()).isEqualTo("leader-election.redis.key-prefix")));
	}

	/** Not even by the name that Spring Boot gives to the one that it makes. */
	@Test
	void ofTwoServersNoneIsGuessed() {
		this.runner
			.withBean("redisConnectionFactory", RedisConnectionFactory.class,
					RedisLeaderElectionAutoConfigurationTests::factory)
			.withBean("cacheConnectionFactory", RedisConnectionFactory.class,
					RedisLeaderElectionAutoConfigurationTests::factory)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(NoUniqueBeanDefinitionException.class)
				.hasMessageContainingAll("redisConnectionFactory", "cacheConnectionFactory"));
	}

	private static RedisConnectionFactory factory() {
		return new LettuceConnectionFactory(RedisServer.HOST, server.port());
	}

	@Test
	void aStoreOfTheUsersOwnIsPreferred() {
		this.runner.withBean(LeaseStore.class, InMemoryLeaseStore::new)
			.run((context) -> assertThat(context).hasSingleBean(LeaseStore.class)
				.doesNotHaveBean(RedisLeaseStore.class));
	}

}
