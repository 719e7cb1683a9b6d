package io.leaderelection.jdbc.fence;

import java.util.Collection;

import javax.sql.DataSource;

import io.leaderelection.FencingToken;

/**
 * The fences in the databases of the application, one for each data source. A database
 * that cannot be fenced is logged once, and its transactions pass. Internal.
 */
public interface DataSourceFences {

	/**
	 * Keeps lower tokens out before a transaction begins, which has no connection yet.
	 */
	void announce(DataSource dataSource, String transactionManager, FencingToken token);

	/** Checks tokens, in their order, within the transaction of this thread. */
	void check(DataSource dataSource, String transactionManager, Collection<FencingToken> tokens);

}
