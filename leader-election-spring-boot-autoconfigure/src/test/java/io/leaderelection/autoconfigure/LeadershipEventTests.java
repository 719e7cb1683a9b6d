package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.leaderelection.ElectionState;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.LeadershipEvent;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LossReason;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.support.BeanDefinitionOverrideException;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.event.TransactionalEventListenerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Changes of leadership as the listeners of an application hear of them.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class LeadershipEventTests {

	private static final Executor NEW_THREAD = (task) -> new Thread(task).start();

	private final List<ConfigurableApplicationContext> opened = new ArrayList<>();

	@AfterEach
	void closeAll() {
		this.opened.stream()
			.filter(ConfigurableApplicationContext::isActive)
			.forEach(ConfigurableApplicationContext::close);
	}

	@Test
	void everyChangeIsAnEventInOrder() {
		ConfigurableApplicationContext context = run(Map.of(), Application.class, Listener.class);
		Listener listener = context.getBean(Listener.class);
		for (int i = 0; i < 3; i++) {
			await().until(elector(context)::isLeader);
			elector(context).operations().stepDown(Duration.ZERO).join();
		}
		await().until(() -> listener.heard.size() >= 9);
		long previous = 0;
		for (int i = 0; i < 9; i += 3) {
			Gained gained = (Gained) listener.heard.get(i);
			LeaderChanged changed = (LeaderChanged) listener.heard.get(i + 1);
			Lost lost = (Lost) listener.heard.get(i + 2);
			assertThat(gained.token().value()).isGreaterThan(previous);
			assertThat(changed.leader().token()).isEqualTo(gained.token());
			assertThat(lost.token()).isEqualTo(gained.token());
			assertThat(lost.reason()).isEqualTo(LossReason.STEPPED_DOWN);
			previous = gained.token().value();
		}
	}

	@Test
	void electionsMadeLaterAreHeardOfToo() {
		ConfigurableApplicationContext context = run(Map.of(), Application.class, Listener.class);
		LeaderElector late = context.getBean(LeaderElections.class).elector("late");
		await().until(late::isLeader);
		await().until(() -> context.getBean(Listener.class)
			.heard(Gained.class)
			.stream()
			.anyMatch((event) -> event.election().equals("late")));
	}

	@Test
	void aListenerCanChooseAnElection() {
		ConfigurableApplicationContext context = run(
				Map.of("leader-election.elections.reports", "", "leader-election.elections.mails", ""),
				Application.class, Listener.class, Choosy.class);
		LeaderElections elections = context.getBean(LeaderElections.class);
		await().until(() -> elections.electors().stream().allMatch(LeaderElector::isLeader));
		elections.electors().forEach((elector) -> elector.operations().stepDown().join());
		await().until(() -> context.getBean(Listener.class).heard(Lost.class).size() == 2);
		assertThat(context.getBean(Choosy.class).heard).extracting(LeadershipEvent::election)
			.containsExactly("reports", "reports");
		assertThat(context.getBean(Choosy.class).heard.get(0)).isInstanceOf(Gained.class);
		assertThat(context.getBean(Choosy.class).heard.get(1)).isInstanceOf(Lost.class);
	}

	@Test
	void aNewLeaderIsHeardOfOnEveryNode() {
		SharedApplication.leases = new InMemoryLeaseStore();
		ConfigurableApplicationContext one = run(Map.of("leader-election.node-id", "one"), SharedApplication.class,
				Listener.class);
		await().until(elector(one)::isLeader);
		ConfigurableApplicationContext other = run(Map.of("leader-election.node-id", "other"), SharedApplication.class,
				Listener.class);
		assertLeadersHeardOf(one, "one");
		assertLeadersHeardOf(other, "one");
		// while it stands aside, it does not look
		elector(one).operations().stepDown(Duration.ofMillis(100)).join();
		assertLeadersHeardOf(other, "one", "other");
		assertLeadersHeardOf(one, "one", "other");
		assertThat(other.getBean(Listener.class).heard(Gained.class)).hasSize(1);
		assertThat(other.getBean(Listener.class).heard(Lost.class)).isEmpty();
	}

	@Test
	void theLeaseIsGivenUpAfterTheEventWhenTheApplicationIsClosed() {
		ConfigurableApplicationContext context = run(Map.of(), Application.class, Listener.class);
		await().until(elector(context)::isLeader);
		Listener listener = context.getBean(Listener.class);
		List<String> journal = context.getBean(RecordingStore.class).journal;
		listener.onLost = (event) -> journal.add("lost: " + event.reason());
		context.close();
		assertThat(journal).containsExactly("acquire", "lost: STOPPED", "release", "client stops",
				"client is destroyed");
	}

	@Test
	void aListenerThatTakesItsTimeIsWaitedForWhenTheApplicationIsClosed() {
		ConfigurableApplicationContext context = run(Map.of(), Application.class, Listener.class);
		LeaderElector elector = elector(context);
		await().until(elector::isLeader);
		List<String> journal = context.getBean(RecordingStore.class).journal;
		CountDownLatch finish = new CountDownLatch(1);
		context.getBean(Listener.class).onLost = (event) -> {
			awaitUninterrupted(finish);
			journal.add("lost");
		};
		CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close, NEW_THREAD);
		await().until(() -> elector.status().state() == ElectionState.DRAINING);
		assertThat(journal).containsExactly("acquire");
		assertThat(closed).isNotDone();
		finish.countDown();
		closed.join();
		assertThat(journal).containsExactly("acquire", "lost", "release", "client stops", "client is destroyed");
	}

	@Test
	void aListenerThatFailsHarmsOnlyItself(CapturedOutput output) {
		ConfigurableApplicationContext context = run(Map.of(), Application.class, Failing.class, Listener.class);
		LeaderElector elector = elector(context);
		await().until(elector::isLeader);
		assertThat(elector.operations().stepDown()).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
		Listener listener = context.getBean(Listener.class);
		assertThat(listener.heard(Gained.class)).hasSize(1);
		assertThat(listener.heard(Lost.class)).hasSize(1);
		assertThat(output).contains("Failing.fails(", "other listeners are told all the same", "on purpose");
	}

	@Test
	void eventsAreHeardInOrderThoughOthersAreMulticastAsynchronously() {
		ConfigurableApplicationContext context = run(Map.of(), Application.class, Asynchronous.class, Listener.class);
		LeaderElector elector = elector(context);
		await().until(elector::isLeader);
		Listener listener = context.getBean(Listener.class);
		List<String> journal = context.getBean(RecordingStore.class).journal;
		CountDownLatch finish = new CountDownLatch(1);
		listener.onLost = (event) -> {
			awaitUninterrupted(finish);
			journal.add("lost");
		};
		CompletableFuture<Boolean> released = elector.operations().stepDown();
		await().until(() -> elector.status().state() == ElectionState.DRAINING);
		assertThat(journal).containsExactly("acquire");
		finish.countDown();
		released.join();
		assertThat(journal).containsExactly("acquire", "lost", "release");
		assertThat(listener.heard).hasExactlyElementsOfTypes(Gained.class, LeaderChanged.class, Lost.class);
	}

	@Test
	void aListenerMayStepDown() {
		ConfigurableApplicationContext context = run(Map.of(), Application.class, Listener.class, SteppingDown.class);
		Listener listener = context.getBean(Listener.class);
		await().until(() -> listener.heard(Lost.class).size() == 1);
		await().until(() -> context.getBean(RecordingStore.class).journal.contains("release"));
		assertThat(listener.heard(Lost.class).get(0).reason()).isEqualTo(LossReason.STEPPED_DOWN);
	}

	/** The loss is told after the gain, and the close waits for both. */
	@Test
	void aListenerThatClosesItsApplicationWaitsForTheDrainTimeoutAndNoLonger() {
		ConfigurableApplicationContext context = run(Map.of("leader-election.drain-timeout", "200ms"),
				Application.class, Closing.class);
		List<String> journal = context.getBean(RecordingStore.class).journal;
		await().atMost(Duration.ofSeconds(30)).until(() -> !context.isActive());
		assertThat(journal).startsWith("acquire")
			.endsWith("client stops", "client is destroyed")
			.doesNotContain("release");
	}

	@Test
	void eventsArePublishedWithLazyInitialization() {
		ConfigurableApplicationContext context = run(Map.of("spring.main.lazy-initialization", "true"),
				Application.class, Listener.class);
		await().until(() -> !context.getBean(Listener.class).heard(Gained.class).isEmpty());
	}

	@Test
	void aChildThatIsConfiguredLikewiseDoesNotLetItsParentHearTwice() {
		ConfigurableApplicationContext parent = run(Map.of(), Application.class, Listener.class);
		await().until(elector(parent)::isLeader);
		ConfigurableApplicationContext child = new SpringApplicationBuilder(ElsewhereConfigured.class).parent(parent)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run();
		this.opened.add(0, child);
		elector(parent).operations().stepDown().join();
		Listener listener = parent.getBean(Listener.class);
		assertThat(listener.heard(Gained.class)).hasSize(1);
		assertThat(listener.heard(Lost.class)).hasSize(1);
	}

	@Test
	void methodsThatWaitForATransactionAreLeftToTheirOwnFactory() {
		ConfigurableApplicationContext context = run(Map.of(), Application.class, Transactional.class);
		await().until(() -> context.getBean(Transactional.class).heard.size() == 1);
	}

	@Test
	void nothingIsPublishedWithoutElections() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class))
			.withPropertyValues("leader-election.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("leadershipEventPublisher"));
	}

	/** Otherwise nobody would hear of anything, and nobody would know why. */
	@Test
	void aBeanOfThatNameIsNotTakenForOne() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class))
			.withPropertyValues("leader-election.backend=local")
			.withBean("leadershipEventPublisher", String.class, () -> "of the application")
			.run((context) -> assertThat(context).getFailure().isInstanceOf(BeanDefinitionOverrideException.class));
	}

	private static void assertLeadersHeardOf(ConfigurableApplicationContext context, String... nodeIds) {
		Listener listener = context.getBean(Listener.class);
		await().until(() -> listener.heard(LeaderChanged.class).size() >= nodeIds.length);
		assertThat(listener.heard(LeaderChanged.class)).extracting((event) -> event.leader().nodeId())
			.containsExactly(nodeIds);
	}

	private ConfigurableApplicationContext run(Map<String, Object> properties, Class<?>... sources) {
		Map<String, Object> all = new LinkedHashMap<>(properties);
		all.put("leader-election.lease-duration", "30s");
		ConfigurableApplicationContext context = new SpringApplicationBuilder(sources).web(WebApplicationType.NONE)
			.properties(all)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run();
		this.opened.add(context);
		return context;
	}

	private static LeaderElector elector(ConfigurableApplicationContext context) {
		return context.getBean(LeaderElections.class).electors().iterator().next();
	}

	private static void awaitUninterrupted(CountDownLatch latch) {
		await().until(() -> latch.getCount() == 0);
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
	static class ElsewhereConfigured {

	}

	static class Listener {

		final List<LeadershipEvent> heard = new CopyOnWriteArrayList<>();

		volatile Consumer<Lost> onLost = (event) -> {
		};

		@EventListener
		@Order(1)
		void on(LeadershipEvent event) {
			this.heard.add(event);
			if (event instanceof Lost lost) {
				this.onLost.accept(lost);
			}
		}

		<T extends LeadershipEvent> List<T> heard(Class<T> type) {
			return this.heard.stream().filter(type::isInstance).map(type::cast).toList();
		}

	}

	static class Choosy {

		final List<LeadershipEvent> heard = new CopyOnWriteArrayList<>();

		@EventListener(condition = "#event.election == 'reports'")
		void gained(Gained event) {
			this.heard.add(event);
		}

		@EventListener(condition = "#event.election == 'reports'")
		void lost(Lost event) {
			this.heard.add(event);
		}

	}

	static class Failing {

		@EventListener({ Gained.class, Lost.class })
		@Order(0)
		void fails() {
			throw new IllegalStateException("This fails on purpose");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Asynchronous {

		@Bean
		SimpleApplicationEventMulticaster applicationEventMulticaster() {
			SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
			multicaster.setTaskExecutor(new SimpleAsyncTaskExecutor());
			return multicaster;
		}

	}

	static class SteppingDown {

		private final LeaderElector elector;

		SteppingDown(LeaderElector elector) {
			this.elector = elector;
		}

		@EventListener
		void on(Gained event) {
			this.elector.operations().stepDown();
		}

	}

	static class Closing {

		private final ConfigurableApplicationContext context;

		Closing(ConfigurableApplicationContext context) {
			this.context = context;
		}

		@EventListener
		void on(Gained event) {
			this.context.close();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Transactional {

		final List<LeadershipEvent> heard = new CopyOnWriteArrayList<>();

		@Bean
		static TransactionalEventListenerFactory transactionalEventListenerFactory() {
			return new TransactionalEventListenerFactory();
		}

		@TransactionalEventListener(fallbackExecution = true)
		void on(Gained event) {
			this.heard.add(event);
		}

	}

}
