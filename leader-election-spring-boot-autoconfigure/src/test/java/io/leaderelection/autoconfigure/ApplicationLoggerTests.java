package io.leaderelection.autoconfigure;

import java.lang.System.Logger.Level;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the engine logs is in the log of the application.
 */
@ExtendWith(OutputCaptureExtension.class)
class ApplicationLoggerTests {

	private final ApplicationLogger logger = new ApplicationLogger("io.leaderelection.test");

	@Test
	void messagesAndFailuresArrive(CapturedOutput output) {
		this.logger.log(Level.WARNING, () -> "The store does not answer", new IllegalStateException("cut off"));
		this.logger.log(Level.INFO, "{0} leads with token {1}", "one", "2");
		this.logger.log(Level.ERROR, "braces {0} and 'quotes' stay without parameters");
		assertThat(output).contains("WARN")
			.contains("io.leaderelection.test")
			.contains("The store does not answer")
			.contains("java.lang.IllegalStateException: cut off")
			.contains("one leads with token 2")
			.contains("braces {0} and 'quotes' stay without parameters");
	}

	@Test
	void levelsAreThoseOfTheApplication(CapturedOutput output) {
		assertThat(this.logger.getName()).isEqualTo("io.leaderelection.test");
		assertThat(this.logger.isLoggable(Level.OFF)).isFalse();
		assertThat(this.logger.isLoggable(Level.ERROR)).isTrue();
		this.logger.log(Level.OFF, "never");
		assertThat(output).doesNotContain("never");
	}

}
