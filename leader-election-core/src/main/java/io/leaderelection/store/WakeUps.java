package io.leaderelection.store;

import java.time.Duration;

/**
 * Takes hints that it is worth asking for a lease now. A hint is never proof, may be lost
 * and may come twice. Returns at once; may be called on any thread.
 *
 * <p>
 * The loss of leases is no hint: a store that knows of it, and not every store can, has
 * to tell it before anything else.
 */
public interface WakeUps {

	/**
	 * The lease of this election has been given up.
	 * @param election the election
	 */
	void wakeUp(String election);

	/**
	 * The lease of this election has been given up, and another candidate is the next in
	 * line. It is worth asking if that one does not take it.
	 * @param election the election
	 * @param turn how long to leave it to the other
	 */
	default void wakeUp(String election, Duration turn) {
		wakeUp(election);
	}

	/**
	 * Hints may have been missed: any lease may have been given up.
	 */
	void wakeUpAll();

	/**
	 * What kept the leases of this node is gone, such as its session with the server, and
	 * others may have been granted them already. Their leaderships end at once, and a
	 * request that was sent before brings none back, whatever the answer.
	 */
	void leasesLost();

}
