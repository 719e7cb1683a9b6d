package io.leaderelection.jdbc.sql;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names that follow from the name of the table.
 */
class LeaseTablesTests {

	@Test
	void theChannelFitsIntoAnIdentifier() {
		assertThat(new LeaseTables("LEADER_ELECTION").channel()).isEqualTo("leader_election");
		assertThat(new LeaseTables("s".repeat(60) + "." + "t".repeat(53)).channel()).hasSize(63);
	}

}
