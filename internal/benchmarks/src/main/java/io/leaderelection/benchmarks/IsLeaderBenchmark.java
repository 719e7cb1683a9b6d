package io.leaderelection.benchmarks;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.OnLoss;
import io.leaderelection.store.memory.InMemoryLeaseStore;
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

/**
 * What it costs to ask for leadership and to work under it, beside the two clock reads
 * that an honest answer cannot do without.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(5)
public class IsLeaderBenchmark {

	private static final Callable<Boolean> NO_WORK = () -> Boolean.TRUE;

	@Benchmark
	public long twoClockReads() {
		return System.nanoTime() + System.currentTimeMillis();
	}

	@Benchmark
	public boolean isLeaderOnTheLeader(Nodes nodes) {
		return nodes.leading.isLeader();
	}

	@Benchmark
	public boolean isLeaderOnAFollower(Nodes nodes) {
		return nodes.following.isLeader();
	}

	@Benchmark
	public boolean beginAndEnd(Nodes nodes) {
		return nodes.leading.begin(OnLoss.SIGNAL).orElseThrow().end();
	}

	@Benchmark
	public Boolean executeAsLeader(Nodes nodes) throws Exception {
		return nodes.leading.executeAsLeader(NO_WORK);
	}

	/**
	 * Two nodes of one election, with real clocks and threads. The lease is so long that
	 * no renewal falls into the measurement, whose allocation would be counted in; so
	 * would that of closing the nodes, which end with the process instead.
	 */
	@State(Scope.Benchmark)
	public static class Nodes {

		private static final String ELECTION = "benchmark";

		private final InMemoryLeaseStore store = new InMemoryLeaseStore();

		private final LeaderElections first = node("first");

		private final LeaderElections second = node("second");

		final LeaderElector leading = this.first.elector(ELECTION);

		final LeaderElector following = this.second.elector(ELECTION);

		Leadership leadership;

		@Setup(Level.Trial)
		public void begin() {
			this.first.start();
			if (!this.leading.tryBecomeLeader()) {
				throw new IllegalStateException("The first node does not lead: " + this.leading.status());
			}
			this.leadership = this.leading.leadership().orElseThrow();
			this.second.start();
			if (this.following.tryBecomeLeader()) {
				throw new IllegalStateException("Two nodes lead");
			}
		}

		/**
		 * A figure is void unless the same node led, with the same token, all along.
		 */
		@TearDown(Level.Iteration)
		public void stillLeading() {
			if (!this.leadership.isCurrent() || !this.leading.isLeader() || this.following.isLeader()) {
				throw new IllegalStateException("Leadership changed during the measurement: " + this.leading.status());
			}
		}

		private LeaderElections node(String id) {
			return LeaderElections.on(this.store)
				.nodeId(id)
				.settings(ElectionSettings.ofLease(Duration.ofHours(1)))
				.build();
		}

	}

}
