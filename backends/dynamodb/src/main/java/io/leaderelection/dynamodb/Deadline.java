package io.leaderelection.dynamodb;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;

/**
 * When a call has to end. Attempts are repeated by this store alone: the SDK would wait
 * for seconds between those that were throttled, and longer than a lease lasts.
 *
 * @param endsAt in nanoseconds of this process
 */
record Deadline(long endsAt) {

	private static final long SHORTEST_ATTEMPT = TimeUnit.MILLISECONDS.toNanos(200);

	private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

	private static final int MOST_DOUBLINGS = 4;

	private static final SdkPlugin ONE_ATTEMPT = (client) -> {
		ClientOverrideConfiguration present = client.overrideConfiguration();
		ClientOverrideConfiguration.Builder settings = (present != null) ? present.toBuilder()
				: ClientOverrideConfiguration.builder();
		client.overrideConfiguration(settings.retryStrategy(AwsRetryStrategy.doNotRetry()).build());
	};

	static Deadline in(Duration limit) {
		return new Deadline(System.nanoTime() + limit.toNanos());
	}

	long remaining() {
		return this.endsAt - System.nanoTime();
	}

	boolean isOver() {
		return remaining() <= 0;
	}

	/** For one attempt, which leaves time for another one if it hangs. */
	AwsRequestOverrideConfiguration timeouts() {
		long remaining = Math.max(remaining(), TimeUnit.MILLISECONDS.toNanos(1));
		long attempt = Math.min(remaining, Math.max(remaining / 2, SHORTEST_ATTEMPT));
		return AwsRequestOverrideConfiguration.builder()
			.apiCallTimeout(Duration.ofNanos(attempt))
			.addPlugin(ONE_ATTEMPT)
			.build();
	}

	/**
	 * Waits a little longer after each attempt.
	 * @return whether there is time for another one, and nobody has interrupted this one
	 */
	boolean allowsAnother(int attempts) {
		long longest = FIRST_PAUSE << Math.min(attempts, MOST_DOUBLINGS);
		long pause = longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2);
		if (remaining() <= pause) {
			return false;
		}
		LockSupport.parkNanos(pause);
		return !Thread.currentThread().isInterrupted() && !isOver();
	}

}
