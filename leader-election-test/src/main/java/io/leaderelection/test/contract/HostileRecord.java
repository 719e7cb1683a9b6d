package io.leaderelection.test.contract;

/**
 * What somebody else may have written into the record of an election.
 */
public enum HostileRecord {

	/** Text, where the store expects something that it can read. */
	GARBAGE,

	/**
	 * The token is -1; all else is left as it is. Without a record: a free one with that
	 * token.
	 */
	NEGATIVE_TOKEN,

	/**
	 * The token is {@link Long#MAX_VALUE}; all else is left as it is. Without a record: a
	 * free one with that token.
	 */
	HIGHEST_TOKEN,

	/**
	 * The holder is somebody of whom no store has heard, for a minute from now on. The
	 * token is left as it is, or 1 without a record.
	 */
	OTHER_OWNER

}
