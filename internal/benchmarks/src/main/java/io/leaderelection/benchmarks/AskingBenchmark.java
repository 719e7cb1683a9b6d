package io.leaderelection.benchmarks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.leaderelection.benchmarks.peers.node.Candidacy;
import io.leaderelection.benchmarks.peers.node.NodeProgram;
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

import org.springframework.context.ConfigurableApplicationContext;

/**
 * What it takes to ask a contestant of the comparison whether this node leads. By itself
 * it asks ours; {@code peers} runs it for the others, each with its store and on its
 * class path.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class AskingBenchmark {

	@Benchmark
	public boolean isLeader(Leader leader) {
		return leader.candidacy.leads(0);
	}

	/**
	 * A node alone.
	 */
	@State(Scope.Benchmark)
	public static class Leader {

		private static final Duration PATIENCE = Duration.ofSeconds(60);

		/** The arguments of {@link NodeProgram}, separated by spaces. */
		@Param("Ours --leader-election.backend=local --node.id=asking --node.lease=10s --node.port=0"
				+ " --spring.main.web-application-type=none"
				+ " --spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
		public String node = "";

		Candidacy candidacy = (election) -> false;

		private ConfigurableApplicationContext context;

		@Setup(Level.Trial)
		public void lead() throws Exception {
			this.context = NodeProgram.start(this.node.split(" "));
			this.candidacy = this.context.getBean(Candidacy.class);
			Waiting.until(() -> this.candidacy.leads(0), Duration.ofMillis(10), PATIENCE);
			stillLeading();
		}

		/**
		 * A figure is void unless the answer is yes.
		 */
		@TearDown(Level.Iteration)
		public void stillLeading() {
			if (!this.candidacy.leads(0)) {
				throw new IllegalStateException("This node does not lead");
			}
		}

		@TearDown(Level.Trial)
		public void close() {
			this.context.close();
		}

	}

}
