package io.leaderelection.autoconfigure;

import java.util.Collection;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.annotation.GuardedCallObserver;
import io.leaderelection.annotation.LeaderOnly;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.metrics.LeaderElectionMetrics;
import io.leaderelection.metrics.LeaderElectionMetricsAutoConfiguration;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * When there are meters and observations, and when there are not.
 */
class MetricsAutoConfigurationTests {

	private SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class, ObservationAutoConfiguration.class,
				LeaderElectionAutoConfiguration.class, FencingAutoConfiguration.class,
				LeaderElectionMetricsAutoConfiguration.class, LeaderOnlyAutoConfiguration.class))
		.withPropertyValues("leader-election.backend=local", "leader-election.elections.reports=");

	/** Boot closes the registry with the context, so every context has its own. */
	private ApplicationContextRunner measured() {
		this.registry = new SimpleMeterRegistry();
		return this.runner.withBean(MeterRegistry.class, () -> this.registry);
	}

	@Test
	void thereAreMetersWithARegistryAlone() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaderElectionMetrics.class));
		measured().run((context) -> {
			assertThat(context).hasSingleBean(LeaderElectionMetrics.class);
			assertThat(meters()).isNotEmpty();
		});
	}

	@Test
	void theyAreGoneFromARegistryThatOutlivesTheContext() {
		measured().run((context) -> assertThat(meters()).isNotEmpty());
		assertThat(meters()).isEmpty();
	}

	@Test
	void thereAreNoneWithoutMicrometer() {
		this.runner.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("leaderElectionMetrics"));
	}

	@Test
	void thereAreNoneWithoutElections() {
		measured().withPropertyValues("leader-election.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(LeaderElectionMetrics.class)
				.doesNotHaveBean(GuardedCallObserver.class));
	}

	@Test
	void bootsOwnSwitchTurnsThemOff() {
		measured().withPropertyValues("management.metrics.enable.leader.election=false").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(meters()).isEmpty();
		});
		measured().withPropertyValues("management.metrics.enable.leader.election.token=false")
			.run((context) -> assertThat(meters()).isNotEmpty()
				.noneMatch((meter) -> meter.getId().getName().equals("leader.election.token")));
	}

	@Test
	void theyAreThereWhenBeansAreLazy() {
		measured()
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertThat(meters()).isNotEmpty());
	}

	@Test
	void metersOfTheApplicationsOwnReplaceThemAndCountAllTheSame() {
		measured().withUserConfiguration(OwnMetrics.class).withBean(Jobs.class).run((context) -> {
			assertThat(context).hasSingleBean(LeaderElectionMetrics.class).hasBean("ownMetrics");
			await().until(context.getBean(LeaderElections.class).elector("reports")::isLeader);
			context.getBean(Jobs.class).work();
			context.getBean(StaleTokens.class)
				.refused(new StaleLeaderException(new FencingToken("reports", 1), new FencingToken("reports", 2)));
			assertThat(count("guarded.calls", "outcome", "executed")).isOne();
			assertThat(count("stale.tokens", "node", "a")).isOne();
		});
	}

	@Test
	void observationsNeedARegistryAndGiveWay() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(GuardedCallObserver.class));
		this.runner.withBean(GuardedCallObserver.class, () -> (leadership, method, carried) -> null)
			.run((context) -> assertThat(context).hasSingleBean(GuardedCallObserver.class)
				.doesNotHaveBean("leaderOnlyObservations"));
		this.runner.withPropertyValues("leader-election.leader-only.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GuardedCallObserver.class));
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class,
					LeaderOnlyAutoConfiguration.class, LeaderElectionMetricsAutoConfiguration.class))
			.withPropertyValues("leader-election.backend=local")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ObservationRegistry.class)
				.doesNotHaveBean(GuardedCallObserver.class));
	}

	@Test
	void bootsOwnSwitchTurnsObservationsOff() {
		measured().withBean(Jobs.class).run((context) -> {
			await().until(context.getBean(LeaderElections.class).elector("reports")::isLeader);
			context.getBean(Jobs.class).work();
			assertThat(this.registry.find("leader.only").timer()).isNotNull();
		});
		measured().withBean(Jobs.class)
			.withPropertyValues("management.observations.enable.leader.only=false")
			.run((context) -> {
				await().until(context.getBean(LeaderElections.class).elector("reports")::isLeader);
				context.getBean(Jobs.class).work();
				assertThat(count("guarded.calls", "outcome", "executed")).isOne();
				assertThat(this.registry.find("leader.only").timer()).isNull();
			});
	}

	private Collection<Meter> meters() {
		return this.registry.getMeters()
			.stream()
			.filter((meter) -> meter.getId().getName().startsWith("leader.election."))
			.toList();
	}

	private double count(String name, String tag, String value) {
		Counter counter = this.registry.get("leader.election." + name)
			.tags("election", "reports")
			.tag(tag, value)
			.counter();
		return counter.count();
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnMetrics {

		@Bean
		LeaderElectionMetrics ownMetrics(LeaderElections elections) {
			return new LeaderElectionMetrics(elections, Tags.of("node", "a"));
		}

	}

	static class Jobs {

		@LeaderOnly("reports")
		void work() {
		}

	}

}
