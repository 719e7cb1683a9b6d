package io.leaderelection.web;

import java.time.Duration;

/**
 * Knows when it is worth to ask again a node that did not lead.
 */
@FunctionalInterface
public interface RetryAfter {

	/**
	 * How long a caller should wait.
	 * @param election the election that this node does not lead
	 * @return the wait; sent in whole seconds, rounded up, one at least
	 */
	Duration delay(String election);

}
