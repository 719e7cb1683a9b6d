package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * When the elections of an application begin, and what does not end them.
 */
@Timeout(60)
class ElectionsLifecycleTests {

	private final List<ConfigurableApplicationContext> opened = new ArrayList<>();

	@AfterEach
	void closeAll() {
		this.opened.forEach(ConfigurableApplicationContext::close);
	}

	@Test
	void electionsBeginWhenTheApplicationIsReadyAndNotBefore() {
		ConfigurableApplicationContext context = run(Application.class, Witness.class);
		assertThat(context.getBean(Witness.class).seen).containsExactly("refreshed: false", "runner: false",
				"ready: false", "ready at last: false");
		assertThat(context.getBean(LeaderElections.class).isRunning()).isTrue();
		awaitLeader(context);
	}

	@Test
	void aRunnerThatNeverReturnsCanStartThemItself() {
		assertThat(run(Application.class, ImpatientRunner.class).getBean(ImpatientRunner.class).led).isTrue();
	}

	@Test
	void electionsBeginWithLazyInitialization() {
		awaitLeader(run(Map.of("spring.main.lazy-initialization", "true"), Application.class));
	}

	@Test
	void electionsBeginInAContextThatNoSpringApplicationRuns() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Application.class);
		this.opened.add(context);
		awaitLeader(context);
	}

	@Test
	void aStoreThatDoesNotAnswerHoldsNothingUp() {
		ConfigurableApplicationContext context = run(SilentApplication.class, Witness.class);
		SilentStore store = context.getBean(SilentStore.class);
		await().until(() -> store.asked.getCount() == 0);
		assertThat(context.getBean(Witness.class).seen).contains("ready: false");
		assertThat(context.getBean(LeaderElector.class).isLeader()).isFalse();
		store.answer.countDown();
	}

	@Test
	void electionsWaitForTheirApplicationWhenToldTo() {
		ConfigurableApplicationContext context = run(Map.of("leader-election.auto-startup", "false"),
				Application.class);
		LeaderElections elections = context.getBean(LeaderElections.class);
		assertThat(elections.isRunning()).isFalse();
		elections.start();
		awaitLeader(context);
		RecordingStore store = context.getBean(RecordingStore.class);
		context.close();
		assertThat(store.journal).containsExactly("acquire", "release", "client stops", "client is destroyed");
	}

	@Test
	void nothingIsAskedOfTheStoreWhenTheStartFails() {
		FailingApplication.store = new RecordingStore();
		assertThatException().isThrownBy(() -> run(FailingApplication.class))
			.havingRootCause()
			.withMessage("This fails on purpose");
		assertThat(FailingApplication.store.journal).doesNotContain("acquire", "release");
	}

	@Test
	void anApplicationThatIsClosedBeforeItIsReadyDoesNotStand() {
		LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore()).nodeId("node-1").build();
		GenericApplicationContext context = new GenericApplicationContext();
		ElectionsLifecycle lifecycle = new ElectionsLifecycle(elections, context, "a store", true);
		lifecycle.start();
		lifecycle.contextClosed(new ContextClosedEvent(context));
		lifecycle.applicationReady(
				new ApplicationReadyEvent(new SpringApplication(), new String[0], context, Duration.ZERO));
		assertThat(elections.isRunning()).isFalse();
	}

	@Test
	void thisNodeNoLongerLeadsWhenOtherListenersLearnThatTheContextCloses() {
		ConfigurableApplicationContext context = run(Application.class, Witness.class);
		awaitLeader(context);
		Witness witness = context.getBean(Witness.class);
		context.close();
		assertThat(witness.seen).last().isEqualTo("closing, leading: false");
	}

	@Test
	void aChildContextThatClosesEndsNothing() {
		ConfigurableApplicationContext context = run(Application.class);
		awaitLeader(context);
		AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
		child.setParent(context);
		child.refresh();
		child.close();
		assertThat(context.getBean(LeaderElector.class).isLeader()).isTrue();
		context.stop();
		assertThat(context.getBean(RecordingStore.class).journal).containsExactly("acquire", "release", "client stops");
	}

	@Test
	void aChildContextThatIsReadyStartsNothing() {
		ConfigurableApplicationContext context = run(Application.class, Parent.class, Witness.class);
		assertThat(context.getBean(Witness.class).seen).contains("runner: false");
		awaitLeader(context);
	}

	@Test
	void electionsOfAStoppedContextBeginAgainWithIt() {
		ConfigurableApplicationContext context = run(Application.class);
		awaitLeader(context);
		context.stop();
		LeaderElector elector = context.getBean(LeaderElector.class);
		assertThat(elector.isLeader()).isFalse();
		assertThat(context.getBean(LeaderElections.class).isRunning()).isFalse();
		context.start();
		awaitLeader(context);
	}

	@Test
	void electionsOfAPausedContextPauseWithIt() {
		ConfigurableApplicationContext context = run(Application.class);
		awaitLeader(context);
		context.pause();
		assertThat(context.getBean(LeaderElections.class).isRunning()).isFalse();
		context.restart();
		awaitLeader(context);
	}

	@Test
	void twoApplicationsInOneProcessAreTwoNodes() {
		SharedApplication.leases = new InMemoryLeaseStore();
		ConfigurableApplicationContext one = run(SharedApplication.class);
		awaitLeader(one);
		ConfigurableApplicationContext other = run(SharedApplication.class);
		await().until(() -> other.getBean(LeaderElector.class).getCurrentLeader().isPresent());
		assertThat(other.getBean(LeaderElector.class).isLeader()).isFalse();
		one.close();
		awaitLeader(other);
	}

	@Test
	void anApplicationThatIsRestartedInItsProcessLeadsAgain() {
		SharedApplication.leases = new InMemoryLeaseStore();
		for (int i = 0; i < 3; i++) {
			ConfigurableApplicationContext context = run(SharedApplication.class);
			awaitLeader(context);
			context.close();
		}
		await().until(() -> Thread.getAllStackTraces()
			.keySet()
			.stream()
			.noneMatch((thread) -> thread.getName().equals("leader-election-stop")));
	}

	private ConfigurableApplicationContext run(Class<?>... sources) {
		return run(Map.of(), sources);
	}

	private ConfigurableApplicationContext run(Map<String, Object> properties, Class<?>... sources) {
		ConfigurableApplicationContext context = application(properties, sources).run();
		this.opened.add(context);
		return context;
	}

	private static SpringApplication application(Map<String, Object> properties, Class<?>... sources) {
		return new SpringApplicationBuilder(sources).web(WebApplicationType.NONE)
			.properties(properties)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.build();
	}

	private static void awaitLeader(ConfigurableApplicationContext context) {
		await().until(context.getBean(LeaderElector.class)::isLeader);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
	static class Application {

		@Bean
		RecordingStore store() {
			return new RecordingStore();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
	static class SharedApplication {

		static InMemoryLeaseStore leases = new InMemoryLeaseStore();

		@Bean
		RecordingStore store() {
			return new RecordingStore(leases);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
	static class SilentApplication {

		@Bean
		SilentStore store() {
			return new SilentStore();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
	static class FailingApplication {

		static RecordingStore store = new RecordingStore();

		@Bean
		RecordingStore store() {
			return store;
		}

		@Bean
		SmartLifecycle lastToStart() {
			return new Broken();
		}

	}

	static class Broken implements SmartLifecycle {

		@Override
		public void start() {
			throw new IllegalStateException("This fails on purpose");
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NoElections {

	}

	/**
	 * Has a child that lives and dies while it is itself not ready yet.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Parent {

		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		ApplicationRunner firstRunner(ConfigurableApplicationContext context) {
			return (args) -> new SpringApplicationBuilder(NoElections.class).parent(context)
				.web(WebApplicationType.NONE)
				.bannerMode(Banner.Mode.OFF)
				.run()
				.close();
		}

	}

	/**
	 * Notes at which moments the elections are running.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Witness {

		final List<String> seen = new ArrayList<>();

		private final LeaderElections elections;

		Witness(LeaderElections elections) {
			this.elections = elections;
		}

		@EventListener
		void refreshed(ContextRefreshedEvent event) {
			note("refreshed");
		}

		@Bean
		ApplicationRunner runner() {
			return (args) -> note("runner");
		}

		@Order(0)
		@EventListener
		void ready(ApplicationReadyEvent event) {
			note("ready");
		}

		@EventListener
		void readyAtLast(ApplicationReadyEvent event) {
			note("ready at last");
		}

		@Order(Ordered.HIGHEST_PRECEDENCE + 1)
		@EventListener
		void closing(ContextClosedEvent event) {
			this.seen.add("closing, leading: " + this.elections.electors().stream().anyMatch(LeaderElector::isLeader));
		}

		private void note(String when) {
			this.seen.add(when + ": " + this.elections.isRunning());
		}

	}

	/**
	 * Does not return before this node leads.
	 */
	@Configuration(proxyBeanMethods = false)
	static class ImpatientRunner {

		private boolean led;

		@Bean
		ApplicationRunner runner(LeaderElections elections, LeaderElector elector) {
			return (args) -> {
				elections.start();
				await().until(elector::isLeader);
				this.led = true;
			};
		}

	}

	/**
	 * Takes its time to answer.
	 */
	static class SilentStore extends RecordingStore {

		final CountDownLatch asked = new CountDownLatch(1);

		final CountDownLatch answer = new CountDownLatch(1);

		@Override
		public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
			this.asked.countDown();
			try {
				this.answer.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return super.acquire(candidacies);
		}

	}

}
