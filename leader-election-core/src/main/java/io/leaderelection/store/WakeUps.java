package io.leaderelection.store;

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
