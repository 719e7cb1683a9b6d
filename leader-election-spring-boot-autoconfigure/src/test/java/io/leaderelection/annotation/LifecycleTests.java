package io.leaderelection.annotation;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Beans that are started on the leader and stopped when it steps down.
 */
@Timeout(60)
class LifecycleTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	@ParameterizedTest
	@ValueSource(strings = { "true", "false" })
	void aFollowerStartsNothing(String proxyTargetClass) {
		Application.of(Everything.class)
			.with("spring.aop.proxy-target-class=" + proxyTargetClass)
			.follows((context) -> {
				assertThat(context.getBean(Journal.class).entries).isEmpty();
				ConfigurableApplicationContext started = context
					.getSourceApplicationContext(ConfigurableApplicationContext.class);
				started.stop();
				started.start();
				assertThat(context.getBean(Journal.class).entries).doesNotContain("poller starts", "plain starts");
				assertThat(context.getBeansOfType(Lifecycle.class).values().stream().filter((bean) -> ours(bean)))
					.noneMatch(Lifecycle::isRunning)
					.hasSize(3);
			});
	}

	private static boolean ours(Lifecycle bean) {
		return List.of("poller", "listeners", "plain").contains(bean.toString());
	}

	@Test
	void theLeaderStartsThemInOrderAndStopsThemTheOtherWayRoundBeforeTheRelease() {
		Application application = Application.of(Everything.class);
		application.runner().run((context) -> {
			Journal journal = context.getBean(Journal.class);
			LeaderElector elector = context.getBean(LeaderElector.class);
			await().until(() -> journal.entries.size() == 3);
			assertThat(journal.entries).containsExactly("plain starts, guarded", "poller starts, guarded",
					"listeners starts, guarded");
			application.leases().told = journal.entries;
			journal.entries.clear();
			assertThat(elector.operations().stepDown(Duration.ZERO)).succeedsWithin(SOON).isEqualTo(true);
			await().until(() -> journal.entries.size() == 7);
			assertThat(journal.entries).containsExactly("listeners stops", "poller stops", "plain stops", "release",
					"plain starts, guarded", "poller starts, guarded", "listeners starts, guarded");
		});
	}

	@Test
	void aClosingContextStopsThemBeforeTheRelease() {
		Application application = Application.of(Everything.class);
		// the context stops what it finds running, too
		Set<String> entries = new LinkedHashSet<>();
		application.runner().run((context) -> {
			Journal journal = context.getBean(Journal.class);
			await().until(() -> journal.entries.size() == 3);
			application.leases().told = journal.entries;
			context.getSourceApplicationContext(ConfigurableApplicationContext.class).close();
			entries.addAll(journal.entries.subList(3, journal.entries.size()));
		});
		assertThat(List.copyOf(entries)).hasSize(4)
			.contains("listeners stops", "poller stops", "plain stops")
			.endsWith("release");
	}

	@Test
	void aFollowerThatBecomesLeaderStartsThem() {
		Application application = Application.of(Everything.class);
		try (LeaderElections rival = application.leases().rival("default")) {
			application.runner().run((context) -> {
				await().until(() -> context.getBean(LeaderElector.class).getCurrentLeader().isPresent());
				assertThat(context.getBean(Journal.class).entries).isEmpty();
				rival.stop();
				await().until(() -> context.getBean(Journal.class).entries.size() == 3);
			});
		}
	}

	@Test
	void aLeaderThatCannotStartThemStepsDown() {
		Application.of(Broken.class).runner().run((context) -> {
			LeaderElector elector = context.getBean(LeaderElector.class);
			await().until(() -> elector.status().lastTransition().isPresent());
			await().until(() -> !elector.isLeader());
		});
	}

	@Test
	void theMethodThatMakesTheBeanNamesTheElection() {
		Application.of(OfMails.class).follows("mails", (context) -> {
			await().until(context.getBean(LeaderElections.class).elector("default")::isLeader);
			assertThat(context.getBean(Poller.class).isRunning()).isFalse();
		});
	}

	@Test
	void oneThatDoesNotStopIsWaitedForAsLongAsAnyOther() {
		Application.of(Stubborn.class)
			.with("spring.lifecycle.timeout-per-shutdown-phase=100ms")
			.runner()
			.run((context) -> {
				await().until(context.getBean(Poller.class)::isRunning);
				assertThat(context.getBean(LeaderElector.class).operations().stepDown(Duration.ZERO))
					.succeedsWithin(SOON)
					.isEqualTo(true);
			});
	}

	@Test
	void aheadOfTimeTheProxyOfOneThatCannotBeToldToWaitIsKnown() {
		LeaderOnlyBeanPostProcessor guarding = new LeaderOnlyBeanPostProcessor(LeaderOnlyProperties.DEFAULT_ORDER);
		guarding.setBeanFactory(new DefaultListableBeanFactory());
		assertThat(guarding.determineBeanType(Poller.class, "poller")).isNotEqualTo(Poller.class)
			.isAssignableTo(SmartLifecycle.class);
		assertThat(guarding.determineBeanType(Listeners.class, "listeners")).isEqualTo(Listeners.class);
	}

	@Test
	void whatIsNoLifecycleCannotBeStarted() {
		Application.of(NoLifecycle.class)
			.fails("The @Bean method of 'text' is @LeaderOnly", "java.lang.String", "is no Lifecycle");
	}

	@Test
	void whatCannotBeKeptFromStartingIsRefused() {
		Application.of(FinalPoller.class).fails("cannot be kept from starting on every node", "its class is final");
		Application.of(FinalStart.class).fails("cannot be kept from starting on every node", "start() is final");
	}

	@Test
	void whatIsMadeSeveralTimesCannotBeStarted() {
		Application.of(Prototype.class).fails("The @LeaderOnly lifecycle bean 'poller' is no singleton");
	}

	static class Journal {

		final List<String> entries = new CopyOnWriteArrayList<>();

		void starts(Object bean) {
			this.entries.add(bean + " starts" + (Leadership.current().isPresent() ? ", guarded" : ""));
		}

		void stops(Object bean) {
			this.entries.add(bean + " stops");
		}

	}

	@LeaderOnly
	static class Poller implements SmartLifecycle {

		private final Journal journal;

		private volatile boolean running;

		Poller(Journal journal) {
			this.journal = journal;
		}

		@Override
		public void start() {
			this.journal.starts(this);
			this.running = true;
		}

		@Override
		public void stop() {
			this.journal.stops(this);
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return 1000;
		}

		@Override
		public String toString() {
			return "poller";
		}

	}

	@LeaderOnly
	static class Plain implements Lifecycle {

		private final Journal journal;

		private volatile boolean running;

		Plain(Journal journal) {
			this.journal = journal;
		}

		@Override
		public void start() {
			this.journal.starts(this);
			this.running = true;
		}

		@Override
		public void stop() {
			this.journal.stops(this);
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public String toString() {
			return "plain";
		}

	}

	/**
	 * Has what message listener containers have: final methods and a setter.
	 */
	static class Listeners implements SmartLifecycle {

		private final Journal journal;

		private volatile boolean running;

		private boolean autoStartup = true;

		Listeners(Journal journal) {
			this.journal = journal;
		}

		public void setAutoStartup(boolean autoStartup) {
			this.autoStartup = autoStartup;
		}

		@Override
		public final boolean isAutoStartup() {
			return this.autoStartup;
		}

		@Override
		public final void start() {
			this.journal.starts(this);
			this.running = true;
		}

		@Override
		public final void stop() {
			this.journal.stops(this);
			this.running = false;
		}

		@Override
		public final void stop(Runnable callback) {
			// gives those time who should wait
			CompletableFuture.runAsync(this::stop, CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS))
				.thenRun(callback);
		}

		@Override
		public final boolean isRunning() {
			return this.running;
		}

		@Override
		public String toString() {
			return "listeners";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Journal.class, Poller.class, Plain.class })
	static class Everything {

		@Bean
		@LeaderOnly
		Listeners listeners(Journal journal) {
			return new Listeners(journal);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Journal.class)
	static class Stubborn {

		@Bean
		Poller poller(Journal journal) {
			return new Poller(journal) {

				@Override
				public void stop(Runnable callback) {
					// nobody is told of it
					stop();
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Journal.class)
	static class OfMails {

		@Bean
		@LeaderOnly("mails")
		Poller poller(Journal journal) {
			return new Poller(journal);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Journal.class)
	static class Broken {

		@Bean
		@LeaderOnly
		Poller poller(Journal journal) {
			return new Poller(journal) {

				@Override
				public void start() {
					throw new IllegalStateException("on purpose");
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NoLifecycle {

		@Bean
		@LeaderOnly
		String text() {
			return "text";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Journal.class)
	static class Prototype {

		@Bean
		@Scope("prototype")
		Poller poller(Journal journal) {
			return new Poller(journal);
		}

	}

	@Import(Journal.class)
	static final class FinalPoller extends Poller {

		FinalPoller(Journal journal) {
			super(journal);
		}

	}

	@Import(Journal.class)
	static class FinalStart extends Poller {

		FinalStart(Journal journal) {
			super(journal);
		}

		@Override
		public final void start() {
			super.start();
		}

	}

}
