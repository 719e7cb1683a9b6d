package io.leaderelection.jdbc.sql;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * For how many elections a statement is written.
 */
class StatementParametersTests {

	@Test
	void statementsAreWrittenForPowersOfTwo() {
		assertThat(List.of(1, 2, 3, 4, 5, 100, 511, 512)).extracting(StatementParameters::padded)
			.containsExactly(1, 2, 4, 4, 8, 128, 512, 512);
	}

}
