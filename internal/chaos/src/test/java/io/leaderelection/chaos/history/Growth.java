package io.leaderelection.chaos.history;

/**
 * What a process used in the beginning and in the end.
 *
 * @param process the process
 * @param threadsBefore its threads in the first third of its life, at most
 * @param threadsAfter its threads in the calm after all faults, at least
 * @param descriptorsBefore its open sockets, pipes and the like in that third
 * @param descriptorsAfter its open sockets, pipes and the like in the calm
 */
public record Growth(String process, int threadsBefore, int threadsAfter, int descriptorsBefore, int descriptorsAfter) {

	@Override
	public String toString() {
		return "%s: from %d to %d threads, from %d to %d file descriptors".formatted(this.process, this.threadsBefore,
				this.threadsAfter, this.descriptorsBefore, this.descriptorsAfter);
	}

}
