package io.leaderelection.nodes;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.List;
import java.util.stream.IntStream;

import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leaders who are replaced while they write, many at once. A write is stale if a newer
 * leader had written before it was done.
 */
public final class StaleWrites {

	private static final int ATTEMPTS = 1000;

	private static final int THREADS = 4;

	private final AtomicInteger stale = new AtomicInteger();

	private final AtomicInteger accepted = new AtomicInteger();

	private final AtomicInteger honest = new AtomicInteger();

	private final AtomicLong newest = new AtomicLong();

	private final AtomicLong written = new AtomicLong();

	private final Resource resource;

	private StaleWrites(Resource resource) {
		this.resource = resource;
	}

	/**
	 * Attempts a thousand stale writes, and as many that are not.
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
		System.out.println("%s: %d of %d attempted stale writes accepted, beside %d of newer leaders".formatted(what,
				writes.accepted.get(), writes.stale.get(), writes.honest.get()));
		assertThat(writes.stale.get()).isGreaterThanOrEqualTo(ATTEMPTS);
		assertThat(writes.accepted.get()).as("accepted stale writes").isZero();
		assertThat(tokens).hasSize(writes.honest.get()).isSorted();
		assertThat(tokens).as("writes of newer leaders").hasSizeGreaterThan(100);
	}

	/**
	 * A leader begins to write, the next one takes over and writes, the first goes on.
	 */
	private boolean write() {
		while (this.stale.get() < ATTEMPTS) {
			AtomicBoolean replaced = new AtomicBoolean();
			FencingToken token = next();
			boolean accepted = attempt(token, () -> {
				attempt(next(), () -> {
				});
				replaced.set(token.value() < this.written.get());
				this.stale.addAndGet(replaced.get() ? 1 : 0);
			});
			this.accepted.addAndGet((accepted && replaced.get()) ? 1 : 0);
		}
		return true;
	}

	private FencingToken next() {
		return new FencingToken("reports", this.newest.incrementAndGet());
	}

	private boolean attempt(FencingToken token, Runnable meanwhile) {
		try {
			this.resource.write(token, meanwhile);
		}
		catch (StaleLeaderException ex) {
			return false;
		}
		this.written.accumulateAndGet(token.value(), Math::max);
		this.honest.incrementAndGet();
		return true;
	}

	/**
	 * Something behind a fence.
	 */
	public interface Resource {

		/**
		 * Writes the token.
		 * @param meanwhile to be run after the write has begun and before it is done
		 */
		void write(FencingToken token, Runnable meanwhile);

	}

}
