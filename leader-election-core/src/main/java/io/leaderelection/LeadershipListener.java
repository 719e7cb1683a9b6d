package io.leaderelection;

import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LeadershipEvent.Lost;

/**
 * Told of every change, in order and on a thread that renewals do not need: gained(n),
 * lost(n), gained(n+1) and so on, each once. A listener that throws or blocks delays only
 * itself, and the hand-over that waits for its {@link #lost lost}.
 *
 * <p>
 * A call may come late: when {@link #gained gained} runs, the leadership may have ended
 * already. Ask {@link Leadership#isCurrent()} before acting on it.
 */
public interface LeadershipListener {

	/**
	 * This node became leader.
	 * @param event the leadership gained
	 */
	default void gained(Gained event) {
	}

	/**
	 * This node's leadership ended. When it ended by the node's own wish, the lease is
	 * given up only after this method has returned.
	 * @param event the leadership lost
	 */
	default void lost(Lost event) {
	}

	/**
	 * Another leadership than before was seen, on this node or elsewhere.
	 * @param event the change
	 */
	default void leaderChanged(LeaderChanged event) {
	}

}
