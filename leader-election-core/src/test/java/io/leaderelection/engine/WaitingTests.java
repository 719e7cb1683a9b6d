package io.leaderelection.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Timeout(60)
class WaitingTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	@Test
	void itReturnsTheOutcome() {
		CompletableFuture<String> outcome = CompletableFuture.supplyAsync(() -> "done");
		assertThat(Waiting.atMost(LONG, outcome)).contains("done");
		assertThat(Waiting.atMost(LONG, CompletableFuture.completedFuture(null))).isEmpty();
	}

	@Test
	void itDoesNotWaitForEver() {
		assertThat(Waiting.atMost(Duration.ofMillis(20), new CompletableFuture<String>())).isEmpty();
	}

	@Test
	void itEndsWhenTheCallerIsInterruptedWhoStaysSo() {
		Thread.currentThread().interrupt();
		assertThat(Waiting.atMost(LONG, new CompletableFuture<String>())).isEmpty();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void itThrowsTheFailure() {
		IllegalArgumentException failure = new IllegalArgumentException("no");
		assertThatIllegalStateException()
			.isThrownBy(() -> Waiting.atMost(LONG, CompletableFuture.failedFuture(failure)))
			.withCause(failure);
	}

}
