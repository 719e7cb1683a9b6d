package io.leaderelection.store;

/**
 * Takes hints that it is worth asking for a lease now. A hint is never proof, may be lost
 * and may come twice. Returns at once; may be called on any thread.
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

}
