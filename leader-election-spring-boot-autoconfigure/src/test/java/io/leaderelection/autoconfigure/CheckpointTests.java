package io.leaderelection.autoconfigure;

import java.time.Duration;

import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.LeadershipEvent;
import io.leaderelection.LossReason;
import io.leaderelection.annotation.LeaderOnly;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.crac.Core;
import io.leaderelection.integration.LeaderElectionIntegrationAutoConfiguration;
import io.leaderelection.nodes.OwnClassLoader;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.dsl.Pollers;
import org.springframework.integration.endpoint.AbstractEndpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that is saved in a checkpoint and brought back from it, as Spring is
 * told of it by the API of CRaC.
 */
@Timeout(60)
class CheckpointTests {

	/** The API looks once in the life of its class for who implements it. */
	@Test
	void leadershipIsGivenUpBeforeACheckpointAndSoughtAgainAfterwards() throws Exception {
		String property = "org.crac.Core.Compat";
		System.setProperty(property, Core.class.getPackageName());
		try {
			assertThat(OwnClassLoader.run(Scenario.class, (library) -> true)).isEqualTo("done");
		}
		finally {
			System.clearProperty(property);
		}
	}

	public static class Scenario {

		public static String run(String... arguments) throws Exception {
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.properties("leader-election.node-id=one", "leader-election.elections.reports.lease-duration=30s",
						"leader-election.elections.reports.renew-interval=500ms")
				.bannerMode(Banner.Mode.OFF)
				.registerShutdownHook(false)
				.run();
					LeaderElections other = LeaderElections.on(Application.LEASES)
						.nodeId("other")
						.settings(ElectionSettings.ofLease(Duration.ofSeconds(30)))
						.build()) {
				play(context, other);
			}
			return "done";
		}

		private static void play(ConfigurableApplicationContext context, LeaderElections other) throws Exception {
			LeaderElector elector = context.getBean(LeaderElector.class);
			Listening listening = context.getBean(Listening.class);
			AbstractEndpoint poller = context.getBean("poller", AbstractEndpoint.class);
			await().until(() -> elector.isLeader() && listening.running && poller.isRunning());
			FencingToken first = elector.fencingToken().orElseThrow();
			Owner owner = holder();
			LeaderElector rival = other.elector("reports");
			other.start();
			await().until(() -> rival.getCurrentLeader().isPresent());
			RecordingStore store = context.getBean(RecordingStore.class);
			Core.whileSaved(() -> {
				assertThat(store.journal).containsExactly("acquire", "lost: " + LossReason.STOPPED, "release",
						"client stops");
				assertThat(context.getBean(LeaderElections.class).isRunning()).isFalse();
				assertThat(listening.running).isFalse();
				assertThat(poller.isRunning()).isFalse();
				await().until(rival::isLeader);
				store.journal.clear();
			});
			org.crac.Core.checkpointRestore();
			await().until(() -> elector.getCurrentLeader().isPresent());
			assertThat(elector.isLeader()).isFalse();
			assertThat(listening.running).as("what runs on the leader alone").isFalse();
			assertThat(poller.isRunning()).as("what runs on the leader alone").isFalse();
			assertThat(store.journal).isNotEmpty().containsOnly("acquire");
			rival.operations().stepDown().join();
			await().until(() -> elector.isLeader() && listening.running && poller.isRunning());
			assertThat(elector.fencingToken().orElseThrow().isNewerThan(first)).isTrue();
			assertThat(holder().nodeId()).isEqualTo(owner.nodeId());
			assertThat(holder().incarnation()).isNotEqualTo(owner.incarnation());
		}

		private static Owner holder() {
			return Application.LEASES.read("reports").flatMap(LeaseView::holder).orElseThrow();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableIntegration
	@ImportAutoConfiguration({ LeaderElectionAutoConfiguration.class, LeaderElectionIntegrationAutoConfiguration.class,
			LeaderOnlyAutoConfiguration.class })
	static class Application {

		static final InMemoryLeaseStore LEASES = new InMemoryLeaseStore();

		private final RecordingStore store = new RecordingStore(LEASES);

		@Bean
		RecordingStore store() {
			return this.store;
		}

		@Bean
		@LeaderOnly("reports")
		Listening listening() {
			return new Listening();
		}

		@Bean
		IntegrationFlow flow() {
			return IntegrationFlow
				.fromSupplier(() -> "tick",
						(endpoint) -> endpoint.id("poller")
							.role("reports")
							.poller(Pollers.fixedDelay(Duration.ofMillis(100))))
				.nullChannel();
		}

		@EventListener
		void lost(LeadershipEvent.Lost event) {
			this.store.journal.add("lost: " + event.reason());
		}

	}

	/**
	 * Something like a container of message listeners.
	 */
	static class Listening implements SmartLifecycle {

		private volatile boolean running;

		private boolean autoStartup = true;

		public void setAutoStartup(boolean autoStartup) {
			this.autoStartup = autoStartup;
		}

		@Override
		public boolean isAutoStartup() {
			return this.autoStartup;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

}
