package io.leaderelection.web;

import java.util.Random;

import io.leaderelection.FencingToken;
import io.leaderelection.Names;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How tokens are written in headers.
 */
class TokenHeaderTests {

	@ParameterizedTest
	@CsvSource({ "reports, 1794808126341388, reports:1794808126341388", "a:b, 1, a%3Ab:1", "a b, 2, a%20b:2",
			"a%3Ab, 3, a%253Ab:3", "Übersicht, 4, %C3%9Cbersicht:4",
			"a/b-c._~, 9223372036854775807," + "a%2Fb-c._~:9223372036854775807", "🙂, 5, %F0%9F%99%82:5",
			"'a,b;c\"', 6, a%2Cb%3Bc%22:6" })
	void aTokenHasOneForm(String election, long value, String header) {
		FencingToken token = new FencingToken(election, value);
		assertThat(TokenHeader.format(token)).isEqualTo(header);
		assertThat(TokenHeader.parse(header)).isEqualTo(token);
	}

	@Test
	void everyNameThatAnElectionMayHaveComesBack() {
		Random random = new Random(42);
		for (int i = 0; i < 5_000; i++) {
			FencingToken token = new FencingToken(name(random), random.nextLong(1, Long.MAX_VALUE));
			String header = TokenHeader.format(token);
			assertThat(header).matches("[!-~]+").as("%s", token);
			assertThat(TokenHeader.parse(header)).isEqualTo(token);
		}
	}

	private static String name(Random random) {
		StringBuilder name = new StringBuilder();
		int length = random.nextInt(1, Names.MAX_LENGTH / 2);
		while (name.length() < length) {
			int character = random.nextBoolean() ? random.nextInt(0x20, 0x7f) : random.nextInt(0xa0, 0x1ffff);
			if (Character.isDefined(character) && Character.getType(character) != Character.SURROGATE) {
				name.appendCodePoint(character);
			}
		}
		return name.toString().isBlank() ? "x" : name.toString();
	}

	@Test
	void theLongestNameIsRead() {
		FencingToken token = new FencingToken("\uffe6".repeat(Names.MAX_LENGTH), Long.MAX_VALUE);
		String header = TokenHeader.format(token);
		assertThat(header).hasSize(1820);
		assertThat(TokenHeader.parse(header)).isEqualTo(token);
		assertThatExceptionOfType(CallerTokenException.class).isThrownBy(() -> TokenHeader.parse("x" + header))
			.withMessageContaining("more than 1820 characters");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", ":", "reports", "reports:", ":1", "1", "reports:0", "reports:-1", "reports:+1",
			"reports:01", "reports:1 ", " reports:1", "reports: 1", "reports:1,reports:2", "reports:1:2", "a:b:1",
			"reports:1.0", "reports:1e3", "reports:0x1", "reports:١", "rep orts:1", "repörts:1", "reports:1\n",
			"reports:9223372036854775808", "reports:99999999999999999999", "a%3ab:1", "a%:1", "a%4:1", "a%GG:1",
			"%61:1", "%C3:1", "%C0%80:1", "%ED%A0%80:1", "%20:1", "%00:1", "a%0Ab:1", "\"reports\":1", "a/b:1" })
	void whateverElseIsRefused(String header) {
		assertThatExceptionOfType(CallerTokenException.class).isThrownBy(() -> TokenHeader.parse(header))
			.satisfies((refusal) -> assertThat(refusal.type()).isEqualTo(LeaderElectionProblems.MALFORMED_TOKEN))
			.withMessageStartingWith("The fencing token of the request cannot be read: ");
	}

	@Test
	void aNameThatIsTooLongIsRefused() {
		assertThatExceptionOfType(CallerTokenException.class)
			.isThrownBy(() -> TokenHeader.parse("x".repeat(Names.MAX_LENGTH + 1) + ":1"))
			.withMessageContaining("at most 200 characters");
	}

}
