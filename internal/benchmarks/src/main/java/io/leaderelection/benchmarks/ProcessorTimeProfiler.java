package io.leaderelection.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;

import com.sun.management.OperatingSystemMXBean;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.IterationResultMetaData;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds the processor time of the whole process per operation. On a machine that others
 * use too, the time that passes also counts the turns of other processes; this does not.
 */
public class ProcessorTimeProfiler implements InternalProfiler {

	private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

	private long before;

	@Override
	public String getDescription() {
		return "Processor time of the process per operation";
	}

	@Override
	public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
		this.before = this.system.getProcessCpuTime();
	}

	@Override
	public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
			IterationResult result) {
		long taken = this.system.getProcessCpuTime() - this.before;
		IterationResultMetaData metadata = result.getMetadata();
		if (metadata == null || metadata.getAllOps() == 0) {
			return List.of();
		}
		return List.of(new ScalarResult("processor.time", (double) taken / metadata.getAllOps(), "ns/op",
				AggregationPolicy.AVG));
	}

}
