package io.leaderelection.fencing;

import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;

/**
 * Stands before a resource and remembers, for each election, the highest token that has
 * passed.
 */
@FunctionalInterface
public interface Fence {

	/**
	 * Lets the token pass, unless a higher one of the same election has passed before.
	 * @param token the token of whoever wants to use the resource
	 * @throws StaleLeaderException if it has
	 */
	void check(FencingToken token) throws StaleLeaderException;

}
