package io.leaderelection.autoconfigure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.leaderelection.ElectionState;
import io.leaderelection.Ineligibility;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.LossReason;
import io.leaderelection.actuate.LeaderElectionActuatorAutoConfiguration;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Nodes that stand aside while they are not ready or not healthy.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class EligibilityTests {

	private final List<ConfigurableApplicationContext> opened = new ArrayList<>();

	@BeforeEach
	void begin() {
		Application.leases = new InMemoryLeaseStore();
	}

	@AfterEach
	void closeAll() {
		this.opened.forEach((context) -> {
			context.getBean(Work.class).hanging.countDown();
			context.close();
		});
	}

	@Test
	void anUnhealthyLeaderGivesWayAndStandsAgainWhenItIsWell(CapturedOutput output) {
		ConfigurableApplicationContext one = follow("one");
		await().until(elector(one)::isLeader);
		ConfigurableApplicationContext other = follow("other");
		await().until(() -> elector(other).getCurrentLeader().isPresent());
		work(one).health = () -> Health.down().build();
		await().until(elector(other)::isLeader);
		assertThat(elector(one).status().state()).isEqualTo(ElectionState.INELIGIBLE);
		assertThat(elector(one).status().ineligible()).containsExactly(Ineligibility.UNHEALTHY);
		assertThat(elector(one).status().lastTransition().orElseThrow().reason()).contains(LossReason.UNHEALTHY);
		assertThat(output).contains(
				"Node 'one' is no longer eligible to lead: the health group 'leadership' is not healthy: work is DOWN");
		work(one).health = () -> Health.up().build();
		await().until(() -> elector(one).status().state() == ElectionState.FOLLOWER);
		elector(other).operations().stepDown().join();
		await().until(elector(one)::isLeader);
	}

	@Test
	void nobodyLeadsWhenAllAreUnhealthy() {
		ConfigurableApplicationContext one = follow("one");
		ConfigurableApplicationContext other = follow("other");
		await().until(() -> elector(one).isLeader() || elector(other).isLeader());
		work(one).health = () -> Health.outOfService().build();
		work(other).health = () -> Health.outOfService().build();
		await().until(() -> isIneligible(one) && isIneligible(other));
		assertThat(elector(one).isLeader() || elector(other).isLeader()).isFalse();
		work(other).health = () -> Health.unknown().build();
		await().until(elector(other)::isLeader);
	}

	@Test
	void aCheckThatHangsCountsAsUnhealthyAndHoldsUpNothing(CapturedOutput output) {
		ConfigurableApplicationContext context = follow("one", "leader-election.health.timeout=50ms",
				"leader-election.lease-duration=1s");
		await().until(elector(context)::isLeader);
		Work work = work(context);
		work.health = work::hang;
		await().until(() -> isIneligible(context));
		assertThat(output).contains("the health group 'leadership' did not answer within PT0.05S");
		assertThat(context.getBean(Application.class).store.journal).contains("release");
		int asked = work.asked.get();
		work.health = () -> Health.up().build();
		assertThat(work.asked.get()).as("one check hangs, and no second one").isEqualTo(asked);
		work.hanging.countDown();
		await().until(elector(context)::isLeader);
	}

	@Test
	void aCheckThatThrowsCountsAsUnhealthy(CapturedOutput output) {
		ConfigurableApplicationContext context = follow("one");
		await().until(elector(context)::isLeader);
		work(context).health = () -> {
			throw new IllegalStateException("on purpose");
		};
		await().until(() -> isIneligible(context));
		assertThat(output).contains("failed to answer: java.lang.IllegalStateException: on purpose");
	}

	@Test
	void aNodeDoesNotStandBeforeItWasHealthyOnce(CapturedOutput output) {
		Work.initially = () -> Health.down().build();
		ConfigurableApplicationContext context = follow("one");
		Work.initially = () -> Health.up().build();
		await().until(() -> output.getOut().contains("Node 'one' is not eligible to lead yet"));
		assertThat(isIneligible(context)).isTrue();
		assertThat(context.getBean(Application.class).store.journal).isEmpty();
		work(context).health = () -> Health.up().build();
		await().until(elector(context)::isLeader);
	}

	@Test
	void theGroupOfTheReadinessProbeIsFollowedByDefault() {
		ConfigurableApplicationContext context = run("one", "leader-election.step-down-when-unhealthy=true",
				"leader-election.health.interval=20ms");
		await().until(elector(context)::isLeader);
		AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
		await().until(() -> isIneligible(context));
		assertThat(elector(context).status().ineligible()).containsExactlyInAnyOrder(Ineligibility.values());
		AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
		await().until(elector(context)::isLeader);
	}

	@Test
	void aNodeThatBecomesReadyDoesNotWaitForTheNextLook() {
		ConfigurableApplicationContext context = run("one", "leader-election.step-down-when-unhealthy=true",
				"leader-election.health.interval=1h", "leader-election.health.timeout=5s");
		await().until(elector(context)::isLeader);
	}

	@Test
	void aStoreThatIsGoneMakesNobodyIneligibleThoughTheElectionsAreInTheGroup() {
		ConfigurableApplicationContext context = follow("one",
				"management.endpoint.health.group.leadership.include=work,leaderElection",
				"leader-election.lease-duration=300ms");
		await().until(elector(context)::isLeader);
		context.getBean(Application.class).store.gone = true;
		HealthIndicator own = context.getBean("leaderElectionHealthIndicator", HealthIndicator.class);
		await().until(() -> own.health(false).getStatus().getCode().equals("DOWN"));
		int asked = work(context).asked.get();
		await().until(() -> work(context).asked.get() > asked + 3);
		assertThat(elector(context).status().ineligible()).isEmpty();
		context.getBean(Application.class).store.gone = false;
		await().until(elector(context)::isLeader);
		assertThat(own.health(false).getStatus().getCode()).isEqualTo("UP");
	}

	@Test
	void anOperatorsWishAndHealthDoNotUndoEachOther() {
		ConfigurableApplicationContext context = follow("one");
		LeaderElector elector = elector(context);
		await().until(elector::isLeader);
		elector.operations().pause();
		await().until(() -> elector.status().state() == ElectionState.PAUSED);
		work(context).health = () -> Health.down().build();
		await().until(() -> !elector.status().ineligible().isEmpty());
		elector.operations().resume();
		assertThat(elector.status().state()).isEqualTo(ElectionState.INELIGIBLE);
		assertThat(elector.status().ineligible()).containsExactly(Ineligibility.UNHEALTHY);
		assertThat(elector.tryBecomeLeader()).isFalse();
		elector.operations().pause();
		work(context).health = () -> Health.up().build();
		await().until(() -> elector.status().ineligible().isEmpty());
		assertThat(elector.status().state()).isEqualTo(ElectionState.PAUSED);
		assertThat(elector.tryBecomeLeader()).isFalse();
	}

	@Test
	void healthIsWatchedAgainAfterAStop() {
		ConfigurableApplicationContext context = follow("one");
		await().until(elector(context)::isLeader);
		context.stop();
		int asked = work(context).asked.get();
		context.start();
		await().until(elector(context)::isLeader);
		assertThat(work(context).asked.get()).isGreaterThan(asked);
	}

	@Test
	void healthIsWatchedFromBeforeTheElectionsBeginUntilTheyHaveEnded() {
		ConfigurableApplicationContext context = follow("one");
		SmartLifecycle watch = context.getBean("leaderElectionHealthWatch", SmartLifecycle.class);
		assertThat(watch.getPhase()).isLessThan(context.getBean(ElectionsLifecycle.class).getPhase()).isPositive();
	}

	@Test
	void aFollowerThatIsNotReadyDoesNotTakeOver() {
		ConfigurableApplicationContext one = run("one");
		await().until(elector(one)::isLeader);
		ConfigurableApplicationContext other = run("other");
		await().until(() -> elector(other).getCurrentLeader().isPresent());
		AvailabilityChangeEvent.publish(other, ReadinessState.REFUSING_TRAFFIC);
		assertThat(elector(other).status().ineligible()).containsExactly(Ineligibility.NOT_READY);
		elector(one).operations().stepDown().join();
		assertThat(elector(other).tryBecomeLeader()).isFalse();
		AvailabilityChangeEvent.publish(other, ReadinessState.ACCEPTING_TRAFFIC);
		await().until(elector(other)::isLeader);
	}

	@Test
	void aLeaderThatIsNotReadyGoesOn() {
		ConfigurableApplicationContext context = run("one");
		await().until(elector(context)::isLeader);
		AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
		assertThat(elector(context).isLeader()).isTrue();
		assertThat(elector(context).status().ineligible()).containsExactly(Ineligibility.NOT_READY);
	}

	@Test
	void readinessIsNoMatterIfToldSo() {
		ConfigurableApplicationContext context = run("one", "leader-election.stand-only-when-ready=false");
		AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
		await().until(elector(context)::isLeader);
		assertThat(elector(context).status().ineligible()).isEmpty();
	}

	@Test
	void nobodyWatchesHealthUnlessAsked() {
		conditions().run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean("leaderElectionHealthWatch")
			.hasSingleBean(ReadinessWatch.class));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					leader-election.health.group=nonsense       | leader-election.health.group             | nonsense | management.endpoint.health.group.nonsense.include
					leader-election.health.group=nonsense       | leader-election.health.group             | nonsense | [liveness, readiness]
					leader-election.health.group=own            | leader-election.health.group             | own      | management.endpoint.health.group.own.include
					leader-election.health.interval=0s          | leader-election.health.interval          | PT0S     | such as 5s
					leader-election.health.timeout=-1s          | leader-election.health.timeout           | PT-1S    | such as 5s
					leader-election.health.failure-threshold=0  | leader-election.health.failure-threshold | 0        | 1 or more
					leader-election.health.success-threshold=-1 | leader-election.health.success-threshold | -1       | 1 or more
					management.endpoint.health.access=NONE      | leader-election.step-down-when-unhealthy | true     | the health endpoint is not available
					""")
	void whatCannotWorkDoesNotStart(String given, String property, String value, String remedy) {
		ApplicationContextRunner asked = conditions()
			.withPropertyValues("leader-election.step-down-when-unhealthy=true");
		if (given.endsWith("=own")) {
			asked = asked.withPropertyValues("management.endpoint.health.group.own.include=leaderElection");
		}
		asked.withPropertyValues(given)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, (failure) -> {
					assertThat(failure.getName()).isEqualTo(property);
					assertThat(failure.getValue()).hasToString(value);
					assertThat(failure.getReason()).contains(remedy);
				}));
	}

	@Test
	void healthCannotBeFollowedWithoutTheActuator() {
		conditions().withPropertyValues("leader-election.step-down-when-unhealthy=true")
			.withClassLoader(new FilteredClassLoader(HealthEndpointGroups.class))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining("leader-election.step-down-when-unhealthy")
				.hasMessageContaining("spring-boot-starter-actuator"));
	}

	private static ApplicationContextRunner conditions() {
		return new ApplicationContextRunner().withUserConfiguration(AutoConfigured.class)
			.withPropertyValues("leader-election.backend=local", "leader-election.auto-startup=false");
	}

	/** Runs a node whose leadership follows a health that the test decides. */
	private ConfigurableApplicationContext follow(String nodeId, String... properties) {
		List<String> all = new ArrayList<>(List.of("leader-election.step-down-when-unhealthy=true",
				"leader-election.health.group=leadership", "leader-election.health.interval=20ms",
				"leader-election.health.timeout=10s", "management.endpoint.health.group.leadership.include=work"));
		all.addAll(List.of(properties));
		return run(nodeId, all.toArray(String[]::new));
	}

	private ConfigurableApplicationContext run(String nodeId, String... properties) {
		Map<String, Object> all = new LinkedHashMap<>();
		all.put("leader-election.node-id", nodeId);
		all.put("leader-election.lease-duration", "30s");
		all.put("leader-election.elections.reports", "");
		for (String property : properties) {
			all.put(property.substring(0, property.indexOf('=')), property.substring(property.indexOf('=') + 1));
		}
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.properties(all)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run();
		this.opened.add(context);
		return context;
	}

	private static LeaderElector elector(ConfigurableApplicationContext context) {
		return context.getBean(LeaderElections.class).elector("reports");
	}

	private static boolean isIneligible(ConfigurableApplicationContext context) {
		return elector(context).status().state() == ElectionState.INELIGIBLE;
	}

	private static Work work(ConfigurableApplicationContext context) {
		return context.getBean(Work.class);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LeaderElectionAutoConfiguration.class, LeaderElectionActuatorAutoConfiguration.class,
			HealthContributorAutoConfiguration.class, HealthContributorRegistryAutoConfiguration.class,
			HealthEndpointAutoConfiguration.class, AvailabilityProbesAutoConfiguration.class,
			ApplicationAvailabilityAutoConfiguration.class, EndpointAutoConfiguration.class })
	static class AutoConfigured {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(AutoConfigured.class)
	static class Application {

		static InMemoryLeaseStore leases = new InMemoryLeaseStore();

		final VanishingStore store = new VanishingStore(leases);

		@Bean
		VanishingStore store() {
			return this.store;
		}

		@Bean
		Work workHealthIndicator() {
			return new Work();
		}

	}

	/**
	 * A store that can be gone.
	 */
	static class VanishingStore extends RecordingStore {

		volatile boolean gone;

		VanishingStore(InMemoryLeaseStore leases) {
			super(leases);
		}

		@Override
		public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
			requirePresence();
			return super.acquire(candidacies);
		}

		@Override
		public List<RenewResult> renew(List<RenewRequest> renewals) {
			requirePresence();
			return super.renew(renewals);
		}

		private void requirePresence() {
			if (this.gone) {
				throw new LeaseStoreException("gone");
			}
		}

	}

	/**
	 * Says how this node is.
	 */
	static class Work implements HealthIndicator {

		static Supplier<Health> initially = () -> Health.up().build();

		final AtomicInteger asked = new AtomicInteger();

		final CountDownLatch hanging = new CountDownLatch(1);

		volatile Supplier<Health> health = initially;

		@Override
		public Health health() {
			this.asked.incrementAndGet();
			return this.health.get();
		}

		private Health hang() {
			await().forever().until(() -> this.hanging.getCount() == 0);
			return Health.up().build();
		}

	}

}
