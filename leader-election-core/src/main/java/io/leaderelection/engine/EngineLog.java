package io.leaderelection.engine;

import java.util.List;

import io.leaderelection.FencingToken;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;

/**
 * Told what people should be able to read later. Returns at once.
 */
public interface EngineLog {

	/** Keeps nothing. */
	EngineLog NONE = new EngineLog() {
	};

	/**
	 * This node became leader.
	 * @param event the leadership gained
	 */
	default void gained(Gained event) {
	}

	/**
	 * This node's leadership ended.
	 * @param event the leadership lost
	 */
	default void lost(Lost event) {
	}

	/**
	 * Work has exceeded the drain timeout, so its lease is not renewed any more.
	 * @param token the token of the leadership that ended
	 * @param nodeId this node
	 * @param inFlight how many guarded calls have not ended
	 * @param threads the threads that make them, and what they execute
	 */
	default void drainTimedOut(FencingToken token, String nodeId, int inFlight, List<String> threads) {
	}

	/**
	 * A fence is ahead of the store.
	 * @param token the token that the fence rejected
	 * @param highest the highest token that the fence has seen
	 * @param reachable whether this node acquires its lease again, with a higher token;
	 * not if the fence reports a number that no leadership should go beyond
	 */
	default void tokenRejected(FencingToken token, FencingToken highest, boolean reachable) {
	}

	/**
	 * Another process uses the id of this node. Reported once per start.
	 * @param election an election whose lease that process keeps renewing
	 */
	default void duplicateNodeId(String election) {
	}

	/**
	 * A store call failed, after calls that did not; or the store, which did not answer
	 * before, rejects calls.
	 * @param error whether the store does not answer or rejects the call, and why
	 * @param failure what was thrown
	 */
	default void storeFailed(String error, Throwable failure) {
	}

	/**
	 * The lease of an election has ended, and for the length of a lease has not been
	 * granted, because something in the store prevents it.
	 * @param error which election, and what prevents it
	 */
	default void takeoverBlocked(String error) {
	}

	/**
	 * Nothing prevents a takeover any more.
	 * @param election the election
	 */
	default void takeoverUnblocked(String election) {
	}

	/**
	 * All store calls that are needed succeed again.
	 * @param failures how many calls have failed
	 */
	default void storeRecovered(int failures) {
	}

}
