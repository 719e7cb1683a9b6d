package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaderelection.LeaderElector;
import io.leaderelection.integration.LeaderElectionIntegrationAutoConfiguration;
import io.leaderelection.store.Lease;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.dsl.Pollers;
import org.springframework.integration.endpoint.AbstractEndpoint;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.AbstractLeaderEvent;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.integration.support.SmartLifecycleRoleController;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DefaultLockRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Flows of Spring Integration that run on the leader.
 */
@Timeout(60)
class IntegrationAutoConfigurationTests {

	private final List<ConfigurableApplicationContext> opened = new ArrayList<>();

	@BeforeEach
	void begin() {
		Application.leases = new InMemoryLeaseStore();
	}

	@AfterEach
	void closeAll() {
		this.opened.stream()
			.filter(ConfigurableApplicationContext::isActive)
			.forEach(ConfigurableApplicationContext::close);
	}

	@Test
	void aFlowRunsOnTheLeaderAndMovesWithLeadership() {
		ConfigurableApplicationContext one = run("one", Application.class, Flow.class);
		await().until(() -> polls(one) > 2);
		ConfigurableApplicationContext other = run("other", Application.class, Flow.class);
		await().until(() -> elector(other).getCurrentLeader().isPresent());
		assertThat(poller(other).isRunning()).isFalse();
		assertThat(polls(other)).isZero();
		elector(one).operations().stepDown().join();
		assertThat(poller(one).isRunning()).isFalse();
		assertThat(journal(one)).containsExactly("acquire", "poller runs: false", "release");
		int polls = polls(one);
		await().until(() -> polls(other) > 2);
		// one that was under way when the endpoint stopped may have come to its end
		assertThat(polls(one)).isLessThanOrEqualTo(polls + 1);
	}

	@Test
	void aFlowIsStoppedBeforeTheLeaseIsGivenUpWhenTheApplicationIsClosed() {
		ConfigurableApplicationContext context = run("one", Application.class, Flow.class);
		await().until(() -> polls(context) > 0);
		List<String> journal = journal(context);
		context.close();
		assertThat(journal).containsExactly("acquire", "poller runs: false", "release", "client stops",
				"client is destroyed");
	}

	@Test
	void aFlowDoesNotRunOnAFollowerWhoseContextIsStartedAgain() {
		ConfigurableApplicationContext one = run("one", Application.class, Flow.class);
		await().until(() -> polls(one) > 0);
		ConfigurableApplicationContext other = run("other", Application.class, Flow.class);
		await().until(() -> elector(other).getCurrentLeader().isPresent());
		one.stop();
		await().until(() -> polls(other) > 0);
		one.start();
		assertThat(poller(one).isRunning()).isFalse();
		await().until(() -> elector(one).getCurrentLeader().isPresent());
		elector(other).operations().stepDown().join();
		await().until(poller(one)::isRunning);
	}

	@Test
	void anEndpointWhoseRoleIsNoElectionIsLeftAlone() {
		ConfigurableApplicationContext context = run("one", Application.class, OtherFlow.class);
		assertThat(context.getBean("otherPoller", AbstractEndpoint.class).isRunning()).isTrue();
		assertThat(context.getBean(SmartLifecycleRoleController.class).getRoles()).containsExactly("somebody-else's");
	}

	@Test
	void theContextOfAnEventKnowsItsLeadershipAndEndsIt() {
		ConfigurableApplicationContext context = run("one", Application.class, Events.class);
		List<AbstractLeaderEvent> events = context.getBean(Events.class).heard;
		await().until(() -> events.size() == 1);
		assertThat(events.get(0)).isInstanceOf(OnGrantedEvent.class);
		assertThat(events.get(0).getRole()).isEqualTo("reports");
		Context first = events.get(0).getContext();
		assertThat(first.getRole()).isEqualTo("reports");
		assertThat(first.isLeader()).isTrue();
		first.yield();
		await().until(() -> events.size() == 2);
		assertThat(events.get(1)).isInstanceOf(OnRevokedEvent.class);
		assertThat(events.get(1).getRole()).isEqualTo("reports");
		assertThat(events.get(1).getContext()).isSameAs(first);
		assertThat(first.isLeader()).isFalse();
		await().until(() -> elector(context).tryBecomeLeader());
		await().until(() -> events.size() == 3);
		assertThat(first.isLeader()).isFalse();
		first.yield();
		assertThat(elector(context).isLeader()).isTrue();
		assertThat(events.get(2).getContext().isLeader()).isTrue();
	}

	@Test
	void whoHasAnotherInitiatorForAnotherRoleHearsOfEachOnce() {
		ConfigurableApplicationContext context = run("one", Application.class, Events.class, OtherInitiator.class);
		List<AbstractLeaderEvent> events = context.getBean(Events.class).heard;
		await().until(() -> events.size() >= 2);
		elector(context).operations().stepDown().join();
		assertThat(events.stream().filter(OnGrantedEvent.class::isInstance)).extracting(AbstractLeaderEvent::getRole)
			.containsExactlyInAnyOrder("reports", "other");
		assertThat(events.stream().filter(OnRevokedEvent.class::isInstance)).extracting(AbstractLeaderEvent::getRole)
			.containsExactly("reports");
	}

	@Test
	void aPublisherOfTheApplicationIsUsed() {
		ConfigurableApplicationContext context = run("one", Application.class, OwnPublisher.class);
		await().until(() -> context.getBean(OwnPublisher.class).granted.get() == 1);
	}

	@Test
	void eventsArePublishedWithLazyInitialization() {
		ConfigurableApplicationContext context = run("one", Map.of("spring.main.lazy-initialization", "true"),
				Application.class, Events.class);
		await().until(() -> context.getBean(Events.class).heard.size() == 1);
	}

	@Test
	void nothingIsPublishedIfToldSo() {
		conditions().withPropertyValues("leader-election.integration.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("leaderElectionIntegrationEvents"));
	}

	@Test
	void nothingIsPublishedWithoutSpringIntegration() {
		conditions().withClassLoader(new FilteredClassLoader("org.springframework.integration"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("leaderElectionIntegrationEvents"));
	}

	@Test
	void nothingIsPublishedWithoutElections() {
		conditions().withPropertyValues("leader-election.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("leaderElectionIntegrationEvents"));
	}

	@Test
	void eventsArePublishedByDefault() {
		conditions().run((context) -> assertThat(context).hasBean("leaderElectionIntegrationEvents")
			.hasBean("leaderElectionIntegrationRoles"));
	}

	private static ApplicationContextRunner conditions() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class,
					LeaderElectionIntegrationAutoConfiguration.class))
			.withPropertyValues("leader-election.backend=local", "leader-election.auto-startup=false");
	}

	private ConfigurableApplicationContext run(String nodeId, Class<?>... sources) {
		return run(nodeId, Map.of(), sources);
	}

	private ConfigurableApplicationContext run(String nodeId, Map<String, Object> properties, Class<?>... sources) {
		Map<String, Object> all = new LinkedHashMap<>(properties);
		all.put("leader-election.node-id", nodeId);
		all.put("leader-election.elections.reports.lease-duration", "30s");
		ConfigurableApplicationContext context = new SpringApplicationBuilder(sources).web(WebApplicationType.NONE)
			.properties(all)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run();
		this.opened.add(context);
		return context;
	}

	private static LeaderElector elector(ConfigurableApplicationContext context) {
		return context.getBean("reports", LeaderElector.class);
	}

	private static AbstractEndpoint poller(ConfigurableApplicationContext context) {
		return context.getBean("poller", AbstractEndpoint.class);
	}

	private static int polls(ConfigurableApplicationContext context) {
		return context.getBean(Flow.class).received.get();
	}

	private static List<String> journal(ConfigurableApplicationContext context) {
		return context.getBean(RecordingStore.class).journal;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableIntegration
	@ImportAutoConfiguration({ LeaderElectionAutoConfiguration.class,
			LeaderElectionIntegrationAutoConfiguration.class })
	static class Application {

		static InMemoryLeaseStore leases = new InMemoryLeaseStore();

		@Bean
		RecordingStore store(@Qualifier("poller") ObjectProvider<AbstractEndpoint> poller) {
			return new RecordingStore(leases) {

				@Override
				public void release(List<Lease> released) {
					poller.ifAvailable((endpoint) -> this.journal.add("poller runs: " + endpoint.isRunning()));
					super.release(released);
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Flow {

		final AtomicInteger received = new AtomicInteger();

		@Bean
		IntegrationFlow reportsFlow() {
			return IntegrationFlow
				.fromSupplier(() -> "tick",
						(endpoint) -> endpoint.id("poller")
							.role("reports")
							.poller(Pollers.fixedDelay(Duration.ofMillis(10))))
				.handle((message) -> this.received.incrementAndGet())
				.get();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherFlow {

		@Bean
		IntegrationFlow otherFlow() {
			return IntegrationFlow
				.fromSupplier(() -> "tick",
						(endpoint) -> endpoint.id("otherPoller")
							.role("somebody-else's")
							.poller(Pollers.fixedDelay(Duration.ofSeconds(10))))
				.nullChannel();
		}

	}

	static class Events {

		final List<AbstractLeaderEvent> heard = new CopyOnWriteArrayList<>();

		@EventListener
		void on(AbstractLeaderEvent event) {
			this.heard.add(event);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherInitiator {

		@Bean
		LockRegistryLeaderInitiator initiator() {
			return new LockRegistryLeaderInitiator(new DefaultLockRegistry(), new DefaultCandidate("one", "other"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnPublisher {

		final AtomicInteger granted = new AtomicInteger();

		@Bean
		LeaderEventPublisher leaderEventPublisher() {
			return new DefaultLeaderEventPublisher() {

				@Override
				public void publishOnGranted(Object source, Context context, String role) {
					OwnPublisher.this.granted.incrementAndGet();
				}

			};
		}

	}

}
