package io.leaderelection.benchmarks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.annotation.LeaderOnly;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.annotation.NotLeaderPolicy;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * What the guard adds to a call of a bean, beside a proxy that does nothing.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class LeaderOnlyBenchmark {

	@Benchmark
	public @Nullable Object emptyProxy(Applications applications) {
		return applications.unguarded.work(applications);
	}

	@Benchmark
	public @Nullable Object guardedOnTheLeader(Applications applications) {
		return applications.leading.work(applications);
	}

	@Benchmark
	public @Nullable Object guardedWithTokenOnTheLeader(Applications applications) {
		return applications.leading.fenced(null);
	}

	@Benchmark
	public @Nullable Object skippedOnAFollower(Applications applications) {
		return applications.following.work(applications);
	}

	/**
	 * The bean whose method does nothing.
	 */
	public static class Jobs {

		@LeaderOnly(otherwise = NotLeaderPolicy.SKIP)
		public @Nullable Object work(Object value) {
			return value;
		}

		@LeaderOnly(otherwise = NotLeaderPolicy.SKIP)
		public @Nullable Object fenced(@Nullable FencingToken token) {
			return token;
		}

	}

	/**
	 * Two applications of one election, and a proxy in none. The lease is so long that no
	 * renewal falls into the measurement.
	 */
	@State(Scope.Benchmark)
	public static class Applications {

		private static final String ELECTION = "default";

		private final InMemoryLeaseStore store = new InMemoryLeaseStore();

		private final LeaderElections first = node("first");

		private final LeaderElections second = node("second");

		final Jobs unguarded = emptyProxy();

		final Jobs leading = guarded(this.first);

		final Jobs following = guarded(this.second);

		@Setup(Level.Trial)
		public void begin() {
			this.first.start();
			LeaderElector leader = this.first.elector(ELECTION);
			if (!leader.tryBecomeLeader()) {
				throw new IllegalStateException("The first node does not lead: " + leader.status());
			}
			this.second.start();
			if (this.second.elector(ELECTION).tryBecomeLeader()) {
				throw new IllegalStateException("Two nodes lead");
			}
			stillLeading();
		}

		/**
		 * A figure is void unless calls were made and skipped where they should be.
		 */
		@TearDown(Level.Iteration)
		public void stillLeading() {
			if (this.leading.work(this) != this || this.leading.fenced(null) == null
					|| this.following.work(this) != null) {
				throw new IllegalStateException("Leadership changed during the measurement");
			}
		}

		private static Jobs emptyProxy() {
			ProxyFactory factory = new ProxyFactory(new Jobs());
			factory.setProxyTargetClass(true);
			factory.addAdvice((MethodInterceptor) (call) -> call.proceed());
			return (Jobs) factory.getProxy();
		}

		@SuppressWarnings("resource")
		private static Jobs guarded(LeaderElections elections) {
			AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
			context.registerBean(LeaderElections.class, () -> elections);
			context.register(LeaderOnlyAutoConfiguration.class, Jobs.class);
			context.refresh();
			return context.getBean(Jobs.class);
		}

		private LeaderElections node(String id) {
			return LeaderElections.on(this.store)
				.nodeId(id)
				.settings(ElectionSettings.ofLease(Duration.ofHours(1)))
				.build();
		}

	}

}
