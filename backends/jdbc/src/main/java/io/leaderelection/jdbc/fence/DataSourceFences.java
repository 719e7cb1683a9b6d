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
	 * Keeps lower tokens out from now on. The transaction has no connection yet.
	 * @param dataSource the database of the transaction
	 * @param transactionManager its name
	 * @param token the token of the leader
	 */
	void announce(DataSource dataSource, String transactionManager, FencingToken token);

	/**
	 * Checks tokens within the transaction of this thread.
	 * @param dataSource the database of the transaction
	 * @param transactionManager its name
	 * @param tokens the tokens that work was done under, in the order of the checks
	 */
	void check(DataSource dataSource, String transactionManager, Collection<FencingToken> tokens);

}
