package io.leaderelection.store.observed;

/**
 * One election as it was read. A snapshot may be out of date when it arrives, so every
 * write that is based on it is conditional on its version.
 */
public sealed interface RecordSnapshot {

	/**
	 * There is no record.
	 */
	record Absent() implements RecordSnapshot {
	}

	/**
	 * There is a record.
	 *
	 * @param record the record
	 * @param version equal to no version of any other write, also after records were lost
	 */
	record Present(LeaseRecord record, Object version) implements RecordSnapshot {
	}

	/**
	 * There is something that no store has written.
	 *
	 * @param location names it for the person who has to delete it
	 * @param version the condition of a write that replaces it
	 */
	record Unreadable(String location, Object version) implements RecordSnapshot {
	}

}
