package io.leaderelection.observed;

/**
 * What was read of one election. It may be out of date when it arrives; whatever is
 * written on the strength of it is conditioned on it.
 */
public sealed interface Sight {

	/**
	 * There is no record.
	 */
	record Nothing() implements Sight {
	}

	/**
	 * There is a record.
	 *
	 * @param record the record
	 * @param version equal to no version of any other write, also after records were lost
	 */
	record Present(LeaseRecord record, Object version) implements Sight {
	}

	/**
	 * There is something that no store has written.
	 *
	 * @param where names it, for those who have to delete it
	 * @param version what a write is conditioned on that replaces it
	 */
	record Unreadable(String where, Object version) implements Sight {
	}

}
