package io.leaderelection.chaos.history;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * All that is known of a run. Moments are in nanoseconds, of one clock.
 *
 * @param lives the processes
 * @param answers what they answered when they were asked whether they lead; in order for
 * each process
 * @param changes what their listeners were told
 * @param attempts writes that were refused, or should have been
 * @param writes what the register accepted
 * @param resources what the processes used
 * @param faults what was done to them, and to the store
 * @param begun when the run began
 * @param closing when faults were over, and one node after the other was asked to leave
 * @param ended when the last one had left
 */
public record History(List<Life> lives, List<Answers> answers, List<Change> changes, List<Attempt> attempts,
		List<Writes> writes, List<Resources> resources, List<Fault> faults, long begun, long closing, long ended) {

	List<Answers> answersOf(String process) {
		return this.answers.stream().filter((one) -> one.process().equals(process)).toList();
	}

	/** When somebody had stopped a process, from the first doubt or from certainty on. */
	List<Span> stopsOf(String process, ToLongFunction<Fault> since) {
		return this.faults.stream()
			.filter((fault) -> fault.concerns(process) && fault.kind().stops())
			.map((fault) -> new Span(since.applyAsLong(fault), fault.ended()))
			.toList();
	}

}
