package io.leaderelection;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class NamesTests {

	@ParameterizedTest
	@ValueSource(strings = { "reports", "a b", "größe/日報:{1}*", "🗳" })
	void whatIsPrintableMayBeAName(String name) {
		assertThat(Names.requireValid("election", name)).isSameAs(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t\n" })
	void aBlankNameIsRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> Names.requireValid("election", name))
			.withMessage("election must not be blank");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\nb", "a\u0000", "\u0007a", "a\u0085b" })
	void aNameThatWouldBreakALogLineIsRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> Names.requireValid("nodeId", name))
			.withMessage("nodeId must not contain control characters");
	}

	@Test
	void aNameIsAtMost200CharactersLong() {
		String longest = "x".repeat(Names.MAX_LENGTH);
		assertThat(Names.requireValid("election", longest)).isSameAs(longest);
		assertThatIllegalArgumentException().isThrownBy(() -> Names.requireValid("election", longest + "x"))
			.withMessage("election must have at most 200 characters, but has 201");
	}

	@Test
	void aNameWithHalfASurrogatePairIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> Names.requireValid("election", "a\uD83D"))
			.withMessage("election must not contain half a surrogate pair");
		assertThat(Names.requireValid("election", "a\uD83D\uDE00")).isEqualTo("a\uD83D\uDE00");
	}

}
