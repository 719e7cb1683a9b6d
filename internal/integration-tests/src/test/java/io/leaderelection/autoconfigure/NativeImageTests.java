package io.leaderelection.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.leaderelection.LeaderElections;
import io.leaderelection.annotation.LeaderOnly;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.jdbc.JdbcFenceAutoConfiguration;
import io.leaderelection.jdbc.JdbcLeaderElectionAutoConfiguration;
import io.leaderelection.redis.RedisFenceAutoConfiguration;
import io.leaderelection.redis.RedisLeaderElectionAutoConfiguration;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.zookeeper.ZooKeeperLeaderElectionAutoConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.hibernate.HibernateTransactionManager;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is asked for by its name has to be in a native image. Each configuration is
 * processed as the build of an application does it, so that a hint counts only if
 * somebody asks for it.
 */
@Tag("full")
class NativeImageTests {

	@ParameterizedTest
	@ValueSource(classes = { JdbcLeaderElectionAutoConfiguration.class, JdbcFenceAutoConfiguration.class })
	void theScriptsOfDatabases(Class<?> configuration) {
		RuntimeHints hints = process(Resources.class, configuration);
		for (String script : List.of("schema-postgresql", "schema-h2", "fence-mariadb")) {
			assertThat(RuntimeHintsPredicates.resource()
				.forResource("io/leaderelection/jdbc/schemas/v1/%s.sql".formatted(script))).as(script).accepts(hints);
		}
	}

	@Test
	void theDriverOfPostgres() {
		assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of("org.postgresql.PGConnection")))
			.accepts(process(Resources.class, JdbcLeaderElectionAutoConfiguration.class));
	}

	@Test
	void theTransactionManagersThatTellTheirDatabase() {
		RuntimeHints hints = process(Resources.class, JdbcFenceAutoConfiguration.class);
		for (Class<?> manager : List.of(JpaTransactionManager.class, HibernateTransactionManager.class)) {
			assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(manager, "getDataSource")).accepts(hints);
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { RedisLeaderElectionAutoConfiguration.class, RedisFenceAutoConfiguration.class })
	void theScriptsOfRedisAndTheSocketOfJedis(Class<?> configuration) {
		RuntimeHints hints = process(Resources.class, configuration);
		for (String script : List.of("acquire", "fence", "fenced", "history", "read", "record", "release", "renew",
				"transfer")) {
			assertThat(
					RuntimeHintsPredicates.resource().forResource("io/leaderelection/redis/%s.lua".formatted(script)))
				.as(script)
				.accepts(hints);
		}
		assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of("redis.clients.jedis.UnifiedJedis")))
			.accepts(hints);
	}

	@Test
	void theSocketOfZooKeeper() {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(TypeReference.of("org.apache.zookeeper.ClientCnxnSocketNIO"))
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
			.accepts(process("zookeeper", ZooKeeperLeaderElectionAutoConfiguration.class));
	}

	static Stream<String> answers() {
		return Stream.of("ElectionDescription", "Outcome", "Refusal");
	}

	@ParameterizedTest
	@MethodSource("answers")
	void theAnswersOfTheEndpoint(String answer) throws ClassNotFoundException {
		Class<?> type = ClassUtils.forName("io.leaderelection.actuate." + answer, null);
		assertThat(
				RuntimeHintsPredicates.reflection().onMethodInvocation(type, type.getRecordComponents()[0].getName()))
			.accepts(process(ClassUtils.forName("io.leaderelection.actuate.LeaderEndpointWebExtension", null)));
	}

	@Test
	void theResultsThatSubscribersAskFor() {
		assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of("reactor.core.publisher.Flux")))
			.accepts(process(LeaderOnlyAutoConfiguration.class, Worker.class));
	}

	@Test
	void theBackendsAndTheElectors() {
		RuntimeHints hints = process(LeaderElectionAutoConfiguration.class);
		for (LeaderElectionBackend backend : BackendChoice.load(null)) {
			assertThat(Stream.of(backend.requiredClasses(), backend.beanTypes()).flatMap(List::stream)).isNotEmpty()
				.allSatisfy((type) -> assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(type)))
					.accepts(hints));
		}
		assertThat(RuntimeHintsPredicates.resource().forResource(UnknownProperties.METADATA)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(DeclaredElectors.class, "elector"))
			.accepts(hints);
	}

	private static RuntimeHints process(Class<?>... classes) {
		return process(classes[classes.length - 1].getSimpleName().startsWith("Redis") ? "redis" : "jdbc", classes);
	}

	private static RuntimeHints process(String backend, Class<?>... classes) {
		GenericApplicationContext context = new GenericApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("leader-election.backend", backend,
					"leader-election.zookeeper.connect-string", "localhost:1")));
		new AnnotatedBeanDefinitionReader(context).register(classes);
		TestGenerationContext generation = new TestGenerationContext();
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		return generation.getRuntimeHints();
	}

	/** What there are fences for. */
	@Configuration(proxyBeanMethods = false)
	static class Resources {

		@Bean
		DataSource dataSource() {
			return new SimpleDriverDataSource();
		}

		@Bean
		LeaderElections leaderElections() {
			return LeaderElections.on(new InMemoryLeaseStore()).build();
		}

		@Bean
		RedisConnectionFactory redisConnectionFactory() {
			return new LettuceConnectionFactory();
		}

	}

	static class Worker {

		@LeaderOnly("reports")
		public void work() {
		}

	}

}
