package io.leaderelection.jdbc;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SilenceTests {

	private static final Duration PATIENCE = Duration.ofNanos(10);

	private long now = -3;

	private final Silence silence = new Silence(() -> this.now);

	@Test
	void itBeginsWithTheFirstQuestion() {
		this.silence.begin();
		assertThat(this.silence.left(PATIENCE)).isEqualTo(10);
		this.now += 4;
		assertThat(this.silence.left(PATIENCE)).isEqualTo(6);
	}

	@Test
	void aWordBreaksIt() {
		this.silence.begin();
		this.now += 9;
		this.silence.interrupted();
		this.now += 9;
		assertThat(this.silence.left(PATIENCE)).isEqualTo(1);
	}

	@Test
	void anotherQuestionDoesNotBreakIt() {
		this.silence.begin();
		this.now += 9;
		this.silence.begin();
		assertThat(this.silence.left(PATIENCE)).isEqualTo(1);
	}

	@Test
	void aQuestionAfterTheLastAnswerBeginsAnotherOne() {
		this.silence.begin();
		this.silence.begin();
		this.silence.end();
		this.silence.end();
		this.now += 20;
		this.silence.begin();
		assertThat(this.silence.left(PATIENCE)).isEqualTo(10);
	}

}
