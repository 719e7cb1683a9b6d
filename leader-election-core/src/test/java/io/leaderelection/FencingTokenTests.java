package io.leaderelection;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

class FencingTokenTests {

	@Test
	void aLaterLeadershipHasTheNewerToken() {
		FencingToken earlier = new FencingToken("reports", 7);
		FencingToken later = new FencingToken("reports", 8);
		assertThat(later.isNewerThan(earlier)).isTrue();
		assertThat(earlier.isNewerThan(later)).isFalse();
		assertThat(later.isNewerThan(new FencingToken("reports", 8))).isFalse();
	}

	@Test
	void tokensOfOneElectionAreOrderedByNumberUpToTheLargest() {
		List<FencingToken> tokens = Stream.of(Long.MAX_VALUE, 1L, 10L, 9L)
			.map((value) -> new FencingToken("reports", value))
			.sorted()
			.toList();
		assertThat(tokens).extracting(FencingToken::value).containsExactly(1L, 9L, 10L, Long.MAX_VALUE);
	}

	@Test
	void tokensOfTwoElectionsCannotBeCompared() {
		FencingToken one = new FencingToken("reports", 7);
		FencingToken other = new FencingToken("invoices", 8);
		assertThatIllegalArgumentException().isThrownBy(() -> one.compareTo(other))
			.withMessage("Tokens of the elections 'reports' and 'invoices' cannot be compared");
		assertThatIllegalArgumentException().isThrownBy(() -> one.isNewerThan(other));
		assertThat(one).isNotEqualTo(new FencingToken("invoices", 7));
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, Long.MIN_VALUE })
	void aTokenIsGreaterThanZero(long value) {
		assertThatIllegalArgumentException().isThrownBy(() -> new FencingToken("reports", value))
			.withMessage("A fencing token is greater than zero, but 'reports' got " + value);
	}

	@Test
	void aTokenBelongsToAnElection() {
		assertThatNullPointerException().isThrownBy(() -> new FencingToken(null, 1)).withMessage("election");
	}

	@Test
	void aTokenReadsAsElectionAndNumber() {
		assertThat(new FencingToken("reports", 42)).hasToString("reports:42");
	}

}
