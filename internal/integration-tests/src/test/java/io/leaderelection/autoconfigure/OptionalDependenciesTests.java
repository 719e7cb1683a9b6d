package io.leaderelection.autoconfigure;

import java.util.function.Predicate;
import java.util.regex.Pattern;

import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.actuate.LeaderElectionActuatorAutoConfiguration;
import io.leaderelection.annotation.LeaderOnly;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.integration.LeaderElectionIntegrationAutoConfiguration;
import io.leaderelection.metrics.LeaderElectionMetricsAutoConfiguration;
import io.leaderelection.nodes.OwnClassLoader;
import io.leaderelection.web.LeaderElectionWebAutoConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application starts with those libraries alone that it needs. Unlike a class loader
 * that only refuses classes, this one also hides their files from those who read them.
 */
@Tag("full")
class OptionalDependenciesTests {

	private static final Pattern NEEDED = Pattern
		.compile("leader-election-.*|spring-(core|beans|context|aop|expression)-.*"
				+ "|spring-boot-[0-9].*|spring-boot-autoconfigure-.*|commons-logging-.*|micrometer-.*|jspecify-.*"
				+ "|logback-.*|awaitility-.*|hamcrest-.*|slf4j-.*|log4j-.*|jul-to-slf4j-.*|snakeyaml-.*");

	@Test
	void nothingIsNeededButSpringBoot() throws Exception {
		assertThat(runWith((library) -> NEEDED.matcher(library).matches(), "--leader-election.backend=local"))
			.isEqualTo("default on local");
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring-data-redis", "spring-boot-jdbc", "curator-", "jetcd-", "kubernetes-", "dynamodb-",
			"spring-web-", "spring-boot-http-client", "reactor-", "context-propagation",
			"spring-boot-actuator-autoconfigure", "spring-boot-health", "spring-integration-", "micrometer-core",
			"spring-boot-micrometer" })
	void aLibraryThatIsMissingIsNotMissed(String library) throws Exception {
		// Spring Security cannot do without some of them itself
		assertThat(runWith((file) -> !file.startsWith(library) && !file.startsWith("spring-security-"),
				"--leader-election.backend=local", "--leader-election.web.client.token-hosts=localhost"))
			.isEqualTo("default on local");
	}

	/** Runs {@link Application} with some of the libraries of this test. */
	private static Object runWith(Predicate<String> library, String... arguments) throws Exception {
		return OwnClassLoader.run(Application.class, library, arguments);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LeaderElectionAutoConfiguration.class, FencingAutoConfiguration.class,
			LeaderElectionActuatorAutoConfiguration.class, LeaderElectionWebAutoConfiguration.class,
			LeaderElectionIntegrationAutoConfiguration.class, LeaderElectionMetricsAutoConfiguration.class,
			LeaderOnlyAutoConfiguration.class })
	public static class Application {

		@Bean
		Guarded guarded() {
			return new Guarded();
		}

		public static String run(String... arguments) {
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.bannerMode(Banner.Mode.OFF)
				.registerShutdownHook(false)
				.run(arguments)) {
				await().until(context.getBean(LeaderElector.class)::isLeader);
				return context.getBean(Guarded.class).election() + " on "
						+ context.getBean(LeaderElectionBackend.class).name();
			}
		}

	}

	static class Guarded {

		@LeaderOnly
		String election() {
			return Leadership.current().orElseThrow().token().election();
		}

	}

}
