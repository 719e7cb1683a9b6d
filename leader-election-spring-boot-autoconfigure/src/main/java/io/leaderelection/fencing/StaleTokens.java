package io.leaderelection.fencing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.StaleLeaderException;

/**
 * What follows from a refused token: it is counted, and this node asks the store at once
 * whether it still leads. Every fence reports here what it refused to this node.
 */
public final class StaleTokens {

	private final LeaderElections elections;

	private final LongAdder refused = new LongAdder();

	private final List<Consumer<StaleLeaderException>> listeners = new CopyOnWriteArrayList<>();

	public StaleTokens(LeaderElections elections) {
		this.elections = elections;
	}

	/**
	 * Takes note of a refusal.
	 * @param refusal what the fence said
	 * @return the refusal, to be thrown
	 */
	public StaleLeaderException refused(StaleLeaderException refusal) {
		this.refused.increment();
		suspect(refusal.refused());
		this.listeners.forEach((listener) -> listener.accept(refusal));
		return refusal;
	}

	/**
	 * Has this node ask whether it still leads, without counting a refusal: a fence could
	 * not tell whether the token is stale, but something has changed.
	 * @param token the token
	 */
	public void suspect(FencingToken token) {
		this.elections.find(token.election()).ifPresent(LeaderElector::recheck);
	}

	/**
	 * How many tokens were refused since this node started.
	 * @return the count
	 */
	public long count() {
		return this.refused.sum();
	}

	/**
	 * Tells of every refusal, on the thread that met with it.
	 * @param listener told of each
	 */
	public void addListener(Consumer<StaleLeaderException> listener) {
		this.listeners.add(listener);
	}

}
