package io.leaderelection.jdbc;

/**
 * Has a look at the store once its database has answered at the start. What it throws
 * ends the start, unless the answer came too late for that: then it is logged.
 */
@FunctionalInterface
public interface JdbcLeaseStoreInspector {

	/**
	 * Inspects the store.
	 * @param store the store, whose database can be used
	 */
	void inspect(JdbcLeaseStore store);

}
