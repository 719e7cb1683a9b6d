package io.leaderelection.fencing;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;

/**
 * A fence for a resource of which this process is the only door. It forgets with the
 * process: then the first token passes, whichever it is.
 */
public final class InMemoryFence implements Fence {

	private final Map<String, FencingToken> highest = new ConcurrentHashMap<>();

	@Override
	public void check(FencingToken token) {
		FencingToken newest = this.highest.merge(token.election(), token,
				(known, given) -> given.isNewerThan(known) ? given : known);
		if (newest.isNewerThan(token)) {
			throw new StaleLeaderException(token, newest);
		}
	}

}
