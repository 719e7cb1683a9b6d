package io.leaderelection.fencing;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class InMemoryFenceTests {

	private final InMemoryFence fence = new InMemoryFence();

	@Test
	void aTokenPassesUntilAHigherOneHas() {
		this.fence.check(token(5));
		this.fence.check(token(5));
		this.fence.check(token(7));
		assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(() -> this.fence.check(token(6)))
			.satisfies((refusal) -> {
				assertThat(refusal.refused()).isEqualTo(token(6));
				assertThat(refusal.newest()).isEqualTo(token(7));
			});
		this.fence.check(token(7));
	}

	@Test
	void electionsAreKeptApart() {
		this.fence.check(token(5));
		this.fence.check(new FencingToken("mails", 1));
	}

	@Test
	void ofManyAtOnceNoneFollowsAHigherOne() throws Exception {
		AtomicLong passed = new AtomicLong();
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			List<Callable<Boolean>> checks = LongStream.rangeClosed(1, 2000)
				.<Callable<Boolean>>mapToObj((value) -> () -> {
					long before = passed.get();
					try {
						this.fence.check(token(value));
					}
					catch (StaleLeaderException ex) {
						return true;
					}
					passed.accumulateAndGet(value, Math::max);
					return before <= value;
				})
				.toList();
			for (Future<Boolean> check : threads.invokeAll(checks)) {
				assertThat(check.get()).as("nothing higher had passed before").isTrue();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static FencingToken token(long value) {
		return new FencingToken("reports", value);
	}

}
