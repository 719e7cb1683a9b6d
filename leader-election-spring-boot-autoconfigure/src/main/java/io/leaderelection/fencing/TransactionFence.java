package io.leaderelection.fencing;

import io.leaderelection.Leadership;

/**
 * Fences transactions by themselves: one that is begun under a leadership is committed
 * only if the resource has seen no higher token until then.
 */
@FunctionalInterface
public interface TransactionFence {

	/**
	 * Fences the transactions that this thread is in for this leadership as well. For
	 * work under a leadership that begins inside a transaction; one that is begun inside
	 * such work needs no call. Does nothing outside of transactions.
	 * @param leadership what the work is done under
	 */
	void join(Leadership leadership);

}
