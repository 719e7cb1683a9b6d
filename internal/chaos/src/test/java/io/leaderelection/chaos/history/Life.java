package io.leaderelection.chaos.history;

/**
 * One process of a node, from its start to its end.
 *
 * @param process its name, which no other process has
 * @param node the node, which has one process at a time
 * @param started when it was started
 * @param ready when it stood for the election; {@link #NEVER} if it did not come to that
 * @param ended when it was known to be gone
 */
public record Life(String process, String node, long started, long ready, long ended) {

	/** No moment of a run. */
	public static final long NEVER = Long.MAX_VALUE;

	boolean isAliveAt(long moment) {
		return this.ready <= moment && moment < this.ended;
	}

}
