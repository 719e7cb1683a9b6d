package io.leaderelection.actuate;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RefusedActionExceptionTests {

	@Test
	void inputIsRepeatedAsItIsIfItIsShortAndPrintable() {
		assertThat(RefusedActionException.echo("node-a")).isEqualTo("node-a");
	}

	@Test
	void inputIsShortenedAndItsControlCharactersAreEscaped() {
		assertThat(RefusedActionException.echo("a\u001b[2J")).isEqualTo("a\\u001b[2J");
		assertThat(RefusedActionException.echo("x".repeat(5000))).isEqualTo("x".repeat(64) + "...");
	}

}
