package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import io.leaderelection.ElectionState;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElector;
import io.leaderelection.OnLoss;
import io.leaderelection.annotation.LeaderOnly;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A guarded job that is under way when its application is closed.
 */
@Timeout(60)
class LeaderOnlyShutdownTests {

	private final List<ConfigurableApplicationContext> opened = new ArrayList<>();

	@AfterEach
	void closeAll() {
		this.opened.stream().filter(ConfigurableApplicationContext::isActive).forEach((context) -> {
			context.getBean(Jobs.class).finish();
			context.close();
		});
	}

	@Test
	void aJobIsFinishedBeforeTheLeaseIsGivenUp() {
		assertJobIsFinishedFirst(Map.of());
	}

	@Test
	void aJobOfASchedulerThatAwaitsTerminationIsFinishedBeforeTheLeaseIsGivenUp() {
		assertJobIsFinishedFirst(Map.of("spring.task.scheduling.shutdown.await-termination", "true",
				"spring.task.scheduling.shutdown.await-termination-period", "30s"));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void aJobOnAVirtualThreadIsFinishedBeforeTheLeaseIsGivenUp() {
		assertJobIsFinishedFirst(Map.of("spring.threads.virtual.enabled", "true"));
	}

	private void assertJobIsFinishedFirst(Map<String, Object> properties) {
		Map<String, Object> all = new LinkedHashMap<>(properties);
		all.put("leader-election.lease-duration", "2s");
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.properties(all)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run();
		this.opened.add(context);
		Jobs jobs = context.getBean(Jobs.class);
		List<String> journal = context.getBean(RecordingStore.class).journal;
		await().until(jobs::haveBegun);
		LeaderElector elector = context.getBean(LeaderElector.class);
		CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close, (task) -> new Thread(task).start());
		await().until(() -> elector.status().state() == ElectionState.DRAINING);
		await().until(jobs::sawTheContextClose);
		assertThat(journal).containsExactly("acquire");
		assertThat(elector.status().inFlight()).isEqualTo(1);
		assertThat(closed).isNotDone();
		jobs.finish();
		assertThat(closed).succeedsWithin(Duration.ofSeconds(30));
		assertThat(journal).containsExactly("acquire", "job is done", "release", "client stops", "client is destroyed");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@ImportAutoConfiguration({ LeaderElectionAutoConfiguration.class, LeaderOnlyAutoConfiguration.class,
			AopAutoConfiguration.class, TaskSchedulingAutoConfiguration.class })
	static class Application {

		@Bean
		RecordingStore store() {
			return new RecordingStore();
		}

		@Bean
		Jobs jobs(RecordingStore store) {
			return new Jobs(store);
		}

	}

	static class Jobs {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch finish = new CountDownLatch(1);

		private final RecordingStore store;

		private final AtomicBoolean once = new AtomicBoolean();

		private volatile boolean closing;

		Jobs(RecordingStore store) {
			this.store = store;
		}

		boolean haveBegun() {
			return this.begun.getCount() == 0;
		}

		boolean sawTheContextClose() {
			return this.closing;
		}

		void finish() {
			this.finish.countDown();
		}

		// on virtual threads the scheduler waits for a fixed delay, but not for this
		@Scheduled(fixedRate = 10)
		@LeaderOnly(onLoss = OnLoss.SIGNAL)
		void work(FencingToken token) {
			if (!this.once.compareAndSet(false, true)) {
				return;
			}
			this.begun.countDown();
			boolean interrupted = false;
			while (this.finish.getCount() > 0) {
				try {
					this.finish.await();
				}
				catch (InterruptedException ex) {
					// by the scheduler, which may stop before the elections do
					interrupted = true;
				}
			}
			this.store.journal.add("job is done");
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}

		@EventListener
		void closing(ContextClosedEvent event) {
			this.closing = true;
		}

	}

}
