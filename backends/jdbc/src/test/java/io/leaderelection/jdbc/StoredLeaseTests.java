package io.leaderelection.jdbc;

import io.leaderelection.jdbc.session.SessionMark;
import io.leaderelection.store.Owner;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a row says of the lease.
 */
class StoredLeaseTests {

	private static final SessionMark LEADER = new SessionMark("00000001", 7, 300);

	@Test
	void theSessionOfItsHolderLeads() {
		assertThat(lease(LEADER, 1, false).leader()).isEqualTo(LEADER);
	}

	@Test
	void noSessionLeadsIfTheHolderHasNoneOrHoldsNothing() {
		assertThat(lease(null, 1, false).leader()).isNull();
		assertThat(lease(LEADER, 0, false).leader()).isNull();
		assertThat(lease(LEADER, 1, true).leader()).isNull();
	}

	private static StoredLease lease(SessionMark mark, long expiresAt, boolean sessionEnded) {
		return new StoredLease("reports", 1, new Owner("b", "1"), null, expiresAt, 10_000_000, null, 0, mark,
				sessionEnded);
	}

}
