package io.leaderelection.jdbc;

/**
 * When a lease in a relational database is free for others.
 */
public enum JdbcMode {

	/** When it is given up, or has not been renewed for its duration. */
	LEASE,

	/**
	 * Then, and also as soon as the server has seen the holder's session end. PostgreSQL
	 * 14 or later.
	 */
	SESSION

}
