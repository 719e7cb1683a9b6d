package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.NotLeaderException;
import io.leaderelection.OnLoss;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.resilience.retry.MethodRetryPredicate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The guard together with what else is put around methods, with both kinds of proxies.
 */
@Timeout(60)
class OtherAdviceTests {

	@ParameterizedTest
	@ValueSource(strings = { "true", "false" })
	void aFollowerBeginsNoTransactionAndNoRetryAndRunsNoAspect(String proxyTargetClass) {
		application(proxyTargetClass, Everything.class).follows((context) -> {
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(context.getBean(Work.class)::all);
			assertThat(context.getBean(Journal.class).entries).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "false" })
	void everythingHappensWithinOneLeadership(String proxyTargetClass) {
		application(proxyTargetClass, Everything.class).leads((context) -> {
			assertThat(context.getBean(Work.class).all()).isEqualTo("done");
			assertThat(context.getBean(Journal.class).entries).containsExactly("begin, guarded", "aspect, guarded",
					"work, guarded", "rollback, guarded", "retry, guarded", "begin, guarded", "aspect, guarded",
					"work, guarded", "commit, guarded");
		});
	}

	@Test
	void whoWantsTheGuardInsideOfTheRetriesPutsItThere() {
		application("true", Everything.class).with("leader-election.leader-only.order=0").follows((context) -> {
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(context.getBean(Work.class)::all);
			assertThat(context.getBean(Journal.class).entries).isNotEmpty().containsOnly("retry, not guarded");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "false" })
	void asynchronousWorkIsGuardedOnItsOwnThread(String proxyTargetClass) {
		assertGuardedOnItsOwnThread(application(proxyTargetClass, AsyncLast.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "false" })
	void alsoWhenItsPostProcessorComesFirst(String proxyTargetClass) {
		assertGuardedOnItsOwnThread(application(proxyTargetClass, AsyncFirst.class));
	}

	private static void assertGuardedOnItsOwnThread(Application application) {
		application.leads((context) -> {
			LeaderElector elector = context.getBean(LeaderElector.class);
			ManualExecutor executor = context.getBean(ManualExecutor.class);
			Work work = context.getBean(Work.class);
			CompletableFuture<String> admitted = work.later();
			executor.runAll();
			assertThat(admitted).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("guarded");
			work.laterWithoutResult();
			CompletableFuture<String> late = work.later();
			assertThat(elector.status().inFlight()).isZero();
			assertThat(elector.operations().stepDown()).succeedsWithin(Duration.ofSeconds(10));
			executor.runAll();
			assertThat(late).failsWithin(Duration.ofSeconds(10))
				.withThrowableThat()
				.withCauseInstanceOf(NotLeaderException.class);
			assertThat(context.getBean(Journal.class).entries).isEmpty();
		});
	}

	@Test
	void asynchronousWorkIsWaitedFor() {
		Application application = application("true", AsyncThreads.class);
		application.leads((context) -> {
			Work work = context.getBean(Work.class);
			work.laterWithoutResult();
			await().until(() -> context.getBean(Journal.class).entries.contains("waiting, guarded"));
			CompletableFuture<Boolean> released = context.getBean(LeaderElector.class).operations().stepDown();
			await().until(() -> !context.getBean(LeaderElector.class).isLeader());
			assertThat(application.leases().journal).isEmpty();
			context.getBean(Journal.class).release.countDown();
			assertThat(released).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
		});
	}

	private static Application application(String proxyTargetClass, Class<?> configuration) {
		return Application.of(configuration).with("spring.aop.proxy-target-class=" + proxyTargetClass);
	}

	interface Work {

		// Spring looks for it here when it calls by the interface
		@Retryable(maxRetries = 2, delay = 1, predicate = Retries.class)
		String all();

		CompletableFuture<String> later();

		void laterWithoutResult();

	}

	static class GuardedWork implements Work {

		private final Journal journal;

		private int attempts;

		GuardedWork(Journal journal) {
			this.journal = journal;
		}

		@Override
		@LeaderOnly
		@Transactional
		@Retryable(maxRetries = 2, delay = 1, predicate = Retries.class)
		public String all() {
			this.journal.write("work");
			if (this.attempts++ == 0) {
				throw new IllegalStateException("The first attempt fails on purpose");
			}
			return "done";
		}

		@Override
		@Async
		@LeaderOnly
		public CompletableFuture<String> later() {
			return CompletableFuture.completedFuture(Leadership.current().isPresent() ? "guarded" : "not guarded");
		}

		@Override
		@Async
		@LeaderOnly(onLoss = OnLoss.SIGNAL)
		public void laterWithoutResult() {
			this.journal.write("waiting");
			try {
				this.journal.release.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

	static class Journal {

		final List<String> entries = new CopyOnWriteArrayList<>();

		final CountDownLatch release = new CountDownLatch(1);

		void write(String entry) {
			this.entries.add(entry + (Leadership.current().isPresent() ? ", guarded" : ", not guarded"));
		}

	}

	static class Retries implements MethodRetryPredicate {

		private final Journal journal;

		Retries(Journal journal) {
			this.journal = journal;
		}

		@Override
		public boolean shouldRetry(Method method, Throwable throwable) {
			this.journal.write("retry");
			return true;
		}

	}

	@Aspect
	static class Observing {

		private final Journal journal;

		Observing(Journal journal) {
			this.journal = journal;
		}

		@Around("execution(* io.leaderelection.annotation.OtherAdviceTests.GuardedWork.all())")
		@Nullable Object observe(ProceedingJoinPoint call) throws Throwable {
			this.journal.write("aspect");
			return call.proceed();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	@EnableResilientMethods
	@Import({ GuardedWork.class, Journal.class, Observing.class })
	static class Everything {

		@Bean
		Transactions transactionManager(Journal journal) {
			return new Transactions(journal);
		}

	}

	static class Transactions extends AbstractPlatformTransactionManager implements PlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		private final transient Journal journal;

		Transactions(Journal journal) {
			this.journal = journal;
		}

		@Override
		protected Object doGetTransaction() {
			return "transaction";
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.journal.write("begin");
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.journal.write("commit");
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.journal.write("rollback");
		}

	}

	static class ManualExecutor implements TaskExecutor {

		private final List<Runnable> tasks = new CopyOnWriteArrayList<>();

		@Override
		public void execute(Runnable task) {
			this.tasks.add(task);
		}

		void runAll() {
			this.tasks.forEach(Runnable::run);
			this.tasks.clear();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@Import({ GuardedWork.class, Journal.class, ManualExecutor.class })
	static class AsyncLast {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(order = Ordered.HIGHEST_PRECEDENCE)
	@Import({ GuardedWork.class, Journal.class, ManualExecutor.class })
	static class AsyncFirst {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@Import({ GuardedWork.class, Journal.class })
	static class AsyncThreads {

		@Bean
		SimpleAsyncTaskExecutor taskExecutor() {
			return new SimpleAsyncTaskExecutor("test-");
		}

	}

}
