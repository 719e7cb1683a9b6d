package io.leaderelection.benchmarks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.benchmarks.LeaderOnlyBenchmark.Jobs;
import io.leaderelection.metrics.LeaderElectionMetrics;
import io.leaderelection.metrics.LeaderElectionMetricsAutoConfiguration;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * What meters and observations add to a guarded call.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class MetersBenchmark {

	@Benchmark
	public @Nullable Object executed(Node node) {
		return node.leading.work(node);
	}

	@Benchmark
	public @Nullable Object skipped(Node node) {
		return node.following.work(node);
	}

	/**
	 * Two nodes of one election, measured as the parameter says. The lease is so long
	 * that no renewal falls into the measurement.
	 */
	@State(Scope.Benchmark)
	public static class Node {

		private static final String ELECTION = "default";

		@Param({ "nothing", "meters", "meters and observations" })
		public String measured = "nothing";

		private final InMemoryLeaseStore store = new InMemoryLeaseStore();

		Jobs leading = new Jobs();

		Jobs following = new Jobs();

		@Setup(Level.Trial)
		public void begin() {
			this.leading = guarded("first");
			this.following = guarded("second");
			stillLeading();
		}

		/**
		 * A figure is void unless calls were made and skipped where they should be.
		 */
		@TearDown(Level.Iteration)
		public void stillLeading() {
			if (this.leading.work(this) != this || this.following.work(this) != null) {
				throw new IllegalStateException("Leadership changed during the measurement");
			}
		}

		@SuppressWarnings("resource")
		private Jobs guarded(String nodeId) {
			LeaderElections elections = LeaderElections.on(this.store)
				.nodeId(nodeId)
				.settings(ElectionSettings.ofLease(Duration.ofHours(1)))
				.build();
			elections.start();
			elections.elector(ELECTION).tryBecomeLeader();
			AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
			context.registerBean(LeaderElections.class, () -> elections);
			if (!this.measured.equals("nothing")) {
				measure(context, elections);
			}
			context.register(LeaderOnlyAutoConfiguration.class, Jobs.class);
			context.refresh();
			return context.getBean(Jobs.class);
		}

		private void measure(AnnotationConfigApplicationContext context, LeaderElections elections) {
			MeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
			LeaderElectionMetrics metrics = new LeaderElectionMetrics(elections);
			metrics.bindTo(registry);
			context.registerBean(LeaderElectionMetrics.class, () -> metrics);
			if (!this.measured.equals("meters")) {
				ObservationRegistry observations = ObservationRegistry.create();
				observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
				context.registerBean(ObservationRegistry.class, () -> observations);
				context.register(LeaderElectionMetricsAutoConfiguration.class);
			}
		}

	}

}
