package io.leaderelection;

import java.util.List;
import java.util.Optional;

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

	@Test
	void controlCharactersOfForeignNamesAreEscaped() {
		assertThat(Names.printable("node ü")).isEqualTo("node ü");
		assertThat(Names.printable("a\r\n\u001b[31m")).isEqualTo("a\\u000d\\u000a\\u001b[31m");
		assertThat(new NotLeaderException("reports", Optional.of(new Leader("a\nb", new FencingToken("reports", 1)))))
			.hasMessage("This node does not lead 'reports'; the leader is 'a\\u000ab'");
		assertThat(new UnknownCandidateException("reports", "a\nb", List.of("c\nd")))
			.hasMessage("'a\\u000ab' does not stand for 'reports'; known candidates: c\\u000ad");
	}

}
