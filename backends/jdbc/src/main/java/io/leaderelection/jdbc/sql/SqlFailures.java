package io.leaderelection.jdbc.sql;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Classifies an {@link SQLException}. Batches keep the reason in the exceptions that
 * follow. Internal.
 */
public final class SqlFailures {

	private static final String INTEGRITY_VIOLATION = "23";

	private static final String SERIALIZATION_FAILURE = "40001";

	/** MariaDB: the record has changed since the snapshot was taken. */
	private static final int RECORD_CHANGED = 1020;

	private static final String NO_STATE_OF_ITS_OWN = "HY000";

	/** Connection, transaction rollback, resources, and what an operator does. */
	private static final Set<String> TRANSIENT = Set.of("08", "40", "53", "57");

	private SqlFailures() {
	}

	/**
	 * Another transaction was faster, which a stricter isolation does not put up with.
	 */
	public static boolean isConflict(SQLException failure) {
		return any(failure, (ex) -> SERIALIZATION_FAILURE.equals(ex.getSQLState())
				|| (NO_STATE_OF_ITS_OWN.equals(ex.getSQLState()) && ex.getErrorCode() == RECORD_CHANGED));
	}

	public static boolean isDuplicateKey(SQLException failure) {
		return any(failure, (ex) -> ex.getSQLState() != null && ex.getSQLState().startsWith(INTEGRITY_VIOLATION));
	}

	/**
	 * Not so if the connection broke, or another transaction was in the way: then it may
	 * go well later.
	 */
	public static boolean isStatementRefused(SQLException failure) {
		return !isConflict(failure)
				&& !any(failure, (ex) -> ex instanceof SQLTransientException || ex instanceof SQLRecoverableException
						|| ex.getSQLState() == null || TRANSIENT.contains(ex.getSQLState().substring(0, 2)));
	}

	/**
	 * Whether the database answered, as opposed to a connection or a time that ended. A
	 * pool hides the answer below a timeout of its own.
	 */
	public static boolean isAnswer(SQLException failure) {
		List<SQLException> chain = chain(failure);
		SQLException root = chain.get(chain.size() - 1);
		return root.getSQLState() != null && !root.getSQLState().startsWith("08")
				&& !root.getSQLState().startsWith("57") && !(root instanceof SQLTimeoutException)
				&& !(root instanceof SQLRecoverableException);
	}

	public static boolean any(SQLException failure, Predicate<SQLException> test) {
		return chain(failure).stream().anyMatch(test);
	}

	private static List<SQLException> chain(SQLException failure) {
		List<SQLException> chain = new ArrayList<>();
		for (Throwable present : failure) {
			if (present instanceof SQLException ex) {
				chain.add(ex);
			}
		}
		return chain;
	}

}
