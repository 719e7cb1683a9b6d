package io.leaderelection.fencing;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leaders of all times who write at once, while one after the other takes over. A write
 * is stale if a newer leader had written before it was attempted.
 */
public final class StaleWrites {

	private static final int ATTEMPTS = 1000;

	private static final int THREADS = 4;

	private static final int REMEMBERED = 5;

	private final AtomicInteger stale = new AtomicInteger();

	private final AtomicInteger accepted = new AtomicInteger();

	private final AtomicInteger honest = new AtomicInteger();

	private final AtomicLong newest = new AtomicLong(1);

	private final AtomicLong written = new AtomicLong();

	private final Resource resource;

	private StaleWrites(Resource resource) {
		this.resource = resource;
	}

	/**
	 * Attempts a thousand stale writes, and more that are not.
	 * @param what what it is tried on, for the report
	 * @param resource what to write to
	 * @param history what was written, in the order of writing
	 */
	public static void assertNoneIsAccepted(String what, Resource resource, Callable<List<Long>> history)
			throws Exception {
		StaleWrites writes = new StaleWrites(resource);
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Callable<Boolean>> writers = IntStream.range(0, THREADS)
				.<Callable<Boolean>>mapToObj((i) -> writes::write)
				.toList();
			for (Future<Boolean> writer : threads.invokeAll(writers)) {
				writer.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		List<Long> tokens = history.call();
		System.out.println("%s: %d of %d attempted stale writes accepted, beside %d writes of %d leaders".formatted(what,
				writes.accepted.get(), writes.stale.get(), writes.honest.get(), writes.newest.get()));
		assertThat(writes.stale.get()).isGreaterThanOrEqualTo(ATTEMPTS);
		assertThat(writes.accepted.get()).as("accepted stale writes").isZero();
		assertThat(tokens).hasSize(writes.honest.get()).isSorted();
		assertThat(tokens.stream().distinct().count()).as("leaders who have written").isGreaterThan(10);
	}

	private boolean write() {
		while (this.stale.get() < ATTEMPTS) {
			long highest = this.newest.get();
			long age = ThreadLocalRandom.current().nextLong(-1, REMEMBERED);
			long token = (age < 0) ? this.newest.incrementAndGet() : Math.max(1, highest - age);
			boolean isStale = token < this.written.get();
			if (isStale) {
				this.stale.incrementAndGet();
			}
			attempt(token, isStale);
		}
		return true;
	}

	private void attempt(long token, boolean isStale) {
		try {
			this.resource.write(new FencingToken("reports", token));
		}
		catch (StaleLeaderException ex) {
			return;
		}
		this.written.accumulateAndGet(token, Math::max);
		this.honest.incrementAndGet();
		if (isStale) {
			this.accepted.incrementAndGet();
		}
	}

	/**
	 * Something behind a fence.
	 */
	public interface Resource {

		/** Writes the token. */
		void write(FencingToken token);

	}

}
