package io.leaderelection.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import io.leaderelection.FencingToken;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What MariaDB says since 11.6.2 to a locking read of a row that has changed since the
 * snapshot.
 */
class RecordChangedTests {

	private final SQLException failure = new SQLException("Record has changed since last read in table", "HY000", 1020);

	@AfterEach
	void endTransaction() {
		TransactionSynchronizationManager.clear();
	}

	@Test
	void theFenceThrowsWhatOtherDatabasesMakeItThrow() throws SQLException {
		DataSource dataSource = Mockito.mock();
		Connection connection = Mockito.mock(Connection.class, Mockito.RETURNS_DEEP_STUBS);
		BDDMockito.given(dataSource.getConnection()).willReturn(connection);
		BDDMockito.given(connection.prepareStatement(ArgumentMatchers.anyString())).willThrow(this.failure);
		TransactionSynchronizationManager.setActualTransactionActive(true);
		JdbcFence fence = JdbcFence.on(dataSource).dialect(JdbcDialect.MARIADB).build();
		assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> fence.check(new FencingToken("reports", 1)))
			.withCause(this.failure);
	}

}
