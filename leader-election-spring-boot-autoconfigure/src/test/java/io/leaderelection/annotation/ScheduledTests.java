package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.config.TaskManagementConfigUtils;
import org.springframework.scheduling.support.ScheduledTaskObservationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Guarded methods that the scheduler calls.
 */
@Timeout(60)
class ScheduledTests {

	@ParameterizedTest
	@ValueSource(strings = { "true", "false" })
	void scheduledWorkIsDoneByTheLeader(String arguments) {
		scheduling(Scheduling.class, Jobs.class).with("leader-election.leader-only.scheduled-arguments=" + arguments)
			.leads((context) -> await().until(() -> context.getBean(Jobs.class).done() > 0));
	}

	@Test
	void aFollowerSkipsItAlsoIfItReturnsSomething() {
		scheduling(Scheduling.class, Jobs.class, Skips.class).follows((context) -> {
			await().until(() -> context.getBean(Skips.class).count.get() > 5);
			assertThat(context.getBean(Jobs.class).done()).isZero();
			assertThat(context.getBean(Jobs.class).answer()).isNull();
		});
	}

	@Test
	void theTokenIsAnArgument() {
		scheduling(Scheduling.class, TokenJob.class).leads((context) -> {
			TokenJob job = context.getBean(TokenJob.class);
			await().until(() -> !job.tokens().isEmpty());
			assertThat(job.tokens()).containsOnly(context.getBean(LeaderElector.class).fencingToken().orElseThrow());
		});
	}

	@Test
	void theTaskKeepsItsNameAndItsScheduler() {
		scheduling(Scheduling.class, OwnScheduler.class, TokenJob.class).leads((context) -> {
			assertThat(context.getBean(TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME))
				.isInstanceOf(ScheduledAnnotationBeanPostProcessor.class);
			assertThat(context.getBean(ScheduledTaskHolder.class).getScheduledTasks())
				.extracting((task) -> task.getTask().toString())
				.containsExactly(TokenJob.class.getName() + ".work");
			TokenJob job = context.getBean(TokenJob.class);
			await().until(() -> !job.threads().isEmpty());
			assertThat(job.threads()).allMatch((thread) -> thread.startsWith("own-"));
		});
	}

	@Test
	void theTaskIsObserved() {
		scheduling(Scheduling.class, Observing.class, TokenJob.class).leads((context) -> {
			Observing observing = context.getBean(Observing.class);
			await().until(() -> observing.seen.size() > 2);
			assertThat(observing.seen).contains("work, complete");
		});
	}

	@Test
	void anApplicationsOwnPostProcessorIsLeftAlone() {
		scheduling(OwnProcessor.class, Jobs.class).leads((context) -> {
			assertThat(context.getBean(TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME))
				.isInstanceOf(OwnProcessor.Processor.class);
			await().until(() -> context.getBean(Jobs.class).done() > 0);
		});
	}

	@Test
	void aReactiveTaskAsksAtEverySubscription() {
		Application application = scheduling(Scheduling.class, ReactiveJob.class);
		try (LeaderElections rival = application.leases().rival("default")) {
			application.runner().run((context) -> {
				await().until(() -> context.getBean(LeaderElector.class).getCurrentLeader().isPresent());
				assertThat(context.getBean(ReactiveJob.class).leaderships()).isEmpty();
				rival.stop();
				await().until(() -> context.getBean(ReactiveJob.class).leaderships().size() > 1);
				assertThat(context.getBean(ReactiveJob.class).leaderships())
					.containsOnly(context.getBean(LeaderElector.class).leadership().orElseThrow());
			});
		}
	}

	private static Application scheduling(Class<?>... configuration) {
		Application application = Application.of(configuration);
		return new Application(
				application.runner().withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class)),
				application.leases());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class Jobs {

		private final AtomicInteger done = new AtomicInteger();

		int done() {
			return this.done.get();
		}

		@Scheduled(fixedDelay = 5)
		@LeaderOnly
		void work() {
			this.done.incrementAndGet();
		}

		@Scheduled(fixedDelay = 5)
		@LeaderOnly
		String answer() {
			this.done.incrementAndGet();
			return "done";
		}

	}

	static class TokenJob {

		private final List<FencingToken> tokens = new CopyOnWriteArrayList<>();

		private final List<String> threads = new CopyOnWriteArrayList<>();

		List<FencingToken> tokens() {
			return this.tokens;
		}

		List<String> threads() {
			return this.threads;
		}

		@Scheduled(fixedDelay = 5)
		@LeaderOnly
		void work(FencingToken token, Leadership leadership) {
			assertThat(leadership.token()).isEqualTo(token);
			this.threads.add(Thread.currentThread().getName());
			this.tokens.add(token);
		}

	}

	static class ReactiveJob {

		private final List<Leadership> leaderships = new CopyOnWriteArrayList<>();

		List<Leadership> leaderships() {
			return this.leaderships;
		}

		@Scheduled(fixedDelay = 5)
		@LeaderOnly
		Mono<Void> work() {
			return Mono.deferContextual((context) -> {
				this.leaderships.add(context.get(Leadership.class));
				return Mono.empty();
			});
		}

	}

	static class Skips implements GuardedCallListener {

		final AtomicInteger count = new AtomicInteger();

		@Override
		public void skipped(String election, Method method) {
			this.count.incrementAndGet();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnScheduler {

		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setThreadNamePrefix("own-");
			return scheduler;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Observing implements ObservationHandler<Observation.Context> {

		final List<String> seen = new CopyOnWriteArrayList<>();

		@Bean
		SchedulingConfigurer observingScheduling() {
			ObservationRegistry registry = ObservationRegistry.create();
			registry.observationConfig().observationHandler(this);
			return (registrar) -> registrar.setObservationRegistry(registry);
		}

		@Override
		public void onStop(Observation.Context context) {
			ScheduledTaskObservationContext task = (ScheduledTaskObservationContext) context;
			this.seen.add(task.getMethod().getName() + (task.isComplete() ? ", complete" : ""));
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnProcessor {

		@Bean(TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME)
		static Processor processor() {
			return new Processor();
		}

		static class Processor extends ScheduledAnnotationBeanPostProcessor {

		}

	}

}
