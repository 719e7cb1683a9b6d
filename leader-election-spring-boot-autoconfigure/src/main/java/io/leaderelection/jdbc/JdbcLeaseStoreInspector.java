package io.leaderelection.jdbc;

/**
 * Inspects the store at startup when its database can be used. An exception prevents the
 * application from starting.
 */
@FunctionalInterface
public interface JdbcLeaseStoreInspector {

	/**
	 * Inspects the store.
	 * @param store the store, whose database can be used
	 */
	void inspect(JdbcLeaseStore store);

}
