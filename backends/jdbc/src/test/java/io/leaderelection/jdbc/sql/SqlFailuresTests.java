package io.leaderelection.jdbc.sql;

import java.sql.SQLException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which failures are told apart.
 */
class SqlFailuresTests {

	@Test
	void aDuplicateKeyIsFoundBehindABatch() {
		assertThat(SqlFailures.isDuplicateKey(new SQLException("", "23000", 2627))).isTrue();
		SQLException batch = new SQLException("batch");
		batch.setNextException(new SQLException("", "23505"));
		assertThat(SqlFailures.isDuplicateKey(batch)).isTrue();
		assertThat(SqlFailures.isDuplicateKey(new SQLException("deadlock", "40001"))).isFalse();
	}

	@Test
	void aChangedRecordOfMariaDbIsAConflictAndNoRefusal() {
		SQLException failure = new SQLException("Record has changed since last read in table", "HY000", 1020);
		assertThat(SqlFailures.isConflict(failure)).isTrue();
		assertThat(SqlFailures.isStatementRefused(failure)).isFalse();
		assertThat(SqlFailures.isConflict(new SQLException("", "HY000", 1205))).isFalse();
		assertThat(SqlFailures.isConflict(new SQLException("", "42000", 1020))).isFalse();
	}

}
