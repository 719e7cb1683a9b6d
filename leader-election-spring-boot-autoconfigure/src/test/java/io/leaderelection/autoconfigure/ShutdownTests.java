package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import io.leaderelection.ElectionState;
import io.leaderelection.LeaderElector;
import io.leaderelection.NotLeaderException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What happens, and in which order, when an application that leads is closed.
 */
@Timeout(60)
class ShutdownTests {

	private static final Executor NEW_THREAD = (task) -> new Thread(task).start();

	private final List<ConfigurableApplicationContext> opened = new ArrayList<>();

	@AfterEach
	void closeAll() {
		this.opened.stream().filter(ConfigurableApplicationContext::isActive).forEach((context) -> {
			context.getBeanProvider(Job.class).ifAvailable((job) -> job.finish.countDown());
			context.close();
		});
	}

	@Test
	void theLeaseIsGivenUpBeforeTheClientStops() {
		ConfigurableApplicationContext context = run(Map.of(), Application.class);
		await().until(elector(context)::isLeader);
		List<String> journal = context.getBean(RecordingStore.class).journal;
		elector(context).onLeadershipLost(() -> journal.add("lost"));
		context.close();
		assertThat(journal).containsExactly("acquire", "lost", "release", "client stops", "client is destroyed");
	}

	@Test
	void leadershipEndsWhileTheWebServerStillWorks() {
		ConfigurableApplicationContext context = run(Map.of(), Application.class, WebServer.class);
		await().until(elector(context)::isLeader);
		WebServer.Lifecycle server = context.getBean(WebServer.Lifecycle.class);
		context.close();
		assertThat(server.ledWhenStopped).isFalse();
	}

	@Test
	void workOfTheSchedulerIsFinishedBeforeTheLeaseIsGivenUp() {
		assertWorkIsFinishedFirst(Map.of());
	}

	@Test
	void workOfASchedulerThatAwaitsTerminationIsFinishedBeforeTheLeaseIsGivenUp() {
		assertWorkIsFinishedFirst(Map.of("spring.task.scheduling.shutdown.await-termination", "true",
				"spring.task.scheduling.shutdown.await-termination-period", "30s"));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void workOnVirtualThreadsIsFinishedBeforeTheLeaseIsGivenUp() {
		assertWorkIsFinishedFirst(Map.of("spring.threads.virtual.enabled", "true"));
	}

	@Test
	void aListenerThatTakesItsTimeIsWaitedFor() {
		ConfigurableApplicationContext context = run(Map.of(), Application.class);
		await().until(elector(context)::isLeader);
		List<String> journal = context.getBean(RecordingStore.class).journal;
		CountDownLatch cleanedUp = new CountDownLatch(1);
		elector(context).onLeadershipLost(() -> {
			awaitUninterrupted(cleanedUp);
			journal.add("cleaned up");
		});
		CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close, NEW_THREAD);
		await().until(() -> elector(context).status().state() == ElectionState.DRAINING);
		assertThat(journal).containsExactly("acquire");
		cleanedUp.countDown();
		closed.join();
		assertThat(journal).containsExactly("acquire", "cleaned up", "release", "client stops", "client is destroyed");
	}

	@Test
	void workThatDoesNotEndIsWaitedForNoLongerThanTheDrainTimeout() {
		ConfigurableApplicationContext context = run(Map.of("leader-election.drain-timeout", "300ms"),
				Application.class);
		await().until(elector(context)::isLeader);
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		LeaderElector elector = elector(context);
		List<String> journal = context.getBean(RecordingStore.class).journal;
		CompletableFuture<Void> work = CompletableFuture.runAsync(() -> guarded(elector, begun, finish, journal),
				NEW_THREAD);
		awaitUninterrupted(begun);
		context.close();
		assertThat(work).isNotDone();
		assertThat(journal).containsExactly("acquire", "client stops", "client is destroyed");
		finish.countDown();
		assertThat(work).failsWithin(Duration.ofSeconds(10));
	}

	private void assertWorkIsFinishedFirst(Map<String, Object> properties) {
		ConfigurableApplicationContext context = run(properties, Application.class, SchedulingApplication.class);
		Job job = context.getBean(Job.class);
		LeaderElector elector = elector(context);
		List<String> journal = context.getBean(RecordingStore.class).journal;
		awaitUninterrupted(job.begun);
		CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close, NEW_THREAD);
		await().until(() -> elector.status().state() == ElectionState.DRAINING);
		assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> elector.executeAsLeader(() -> "more"));
		await().until(() -> context.getBean(Closing.class).begun);
		assertThat(journal).containsExactly("acquire");
		assertThat(closed).isNotDone();
		job.finish.countDown();
		closed.join();
		assertThat(journal).containsExactly("acquire", "work is done", "release", "client stops",
				"client is destroyed");
	}

	private ConfigurableApplicationContext run(Map<String, Object> properties, Class<?>... sources) {
		Map<String, Object> all = new LinkedHashMap<>(properties);
		all.putIfAbsent("leader-election.lease-duration", "2s");
		ConfigurableApplicationContext context = new SpringApplicationBuilder(sources).web(WebApplicationType.NONE)
			.properties(all)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run();
		this.opened.add(context);
		return context;
	}

	private static LeaderElector elector(ConfigurableApplicationContext context) {
		return context.getBean(LeaderElector.class);
	}

	private static void guarded(LeaderElector elector, CountDownLatch begun, CountDownLatch finish,
			List<String> journal) {
		try {
			elector.executeAsLeader(() -> {
				begun.countDown();
				awaitUninterrupted(finish);
				journal.add("work is done");
				return null;
			});
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void awaitUninterrupted(CountDownLatch latch) {
		boolean interrupted = false;
		while (true) {
			try {
				latch.await();
				break;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LeaderElectionAutoConfiguration.class)
	static class Application {

		@Bean
		RecordingStore store() {
			return new RecordingStore();
		}

	}

	/**
	 * Does to the life of the application what a web server does.
	 */
	@Configuration(proxyBeanMethods = false)
	static class WebServer {

		@Bean
		Lifecycle webServer(LeaderElector elector) {
			return new Lifecycle(elector);
		}

		static class Lifecycle implements SmartLifecycle {

			private final LeaderElector elector;

			private boolean running;

			boolean ledWhenStopped = true;

			Lifecycle(LeaderElector elector) {
				this.elector = elector;
			}

			@Override
			public int getPhase() {
				return SmartLifecycle.DEFAULT_PHASE - 1024;
			}

			@Override
			public void start() {
				this.running = true;
			}

			@Override
			public void stop() {
				await().until(() -> !this.elector.isLeader());
				this.ledWhenStopped = this.elector.isLeader();
				this.running = false;
			}

			@Override
			public boolean isRunning() {
				return this.running;
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@ImportAutoConfiguration(TaskSchedulingAutoConfiguration.class)
	static class SchedulingApplication {

		@Bean
		Job job(LeaderElector elector, RecordingStore store) {
			return new Job(elector, store);
		}

		@Bean
		Closing closing() {
			return new Closing();
		}

	}

	/**
	 * Scheduled work that is under way when the application is closed.
	 */
	static class Job {

		final CountDownLatch begun = new CountDownLatch(1);

		final CountDownLatch finish = new CountDownLatch(1);

		private final AtomicBoolean once = new AtomicBoolean();

		private final LeaderElector elector;

		private final RecordingStore store;

		Job(LeaderElector elector, RecordingStore store) {
			this.elector = elector;
			this.store = store;
		}

		// on virtual threads the scheduler waits for a fixed delay, but not for this
		@Scheduled(fixedRate = 10)
		void work() {
			if (this.elector.isLeader() && this.once.compareAndSet(false, true)) {
				guarded(this.elector, this.begun, this.finish, this.store.journal);
			}
		}

	}

	/**
	 * Knows whether everybody else has been told that the application closes.
	 */
	static class Closing {

		volatile boolean begun;

		@EventListener
		void closed(ContextClosedEvent event) {
			this.begun = true;
		}

	}

}
