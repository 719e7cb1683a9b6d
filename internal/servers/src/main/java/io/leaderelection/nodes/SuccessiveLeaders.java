package io.leaderelection.nodes;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;

/**
 * Ten leaders that write at once. What the last of them wrote has to stay.
 */
public final class SuccessiveLeaders {

	public static final FencingToken LAST = token(9);

	private SuccessiveLeaders() {
	}

	/**
	 * Writes in four threads.
	 * @param each how often each leader writes
	 * @param write writes under a token, or is refused
	 */
	public static void write(int each, FencedWrite write) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			List<Callable<Boolean>> writes = IntStream.range(0, 10 * each)
				.<Callable<Boolean>>mapToObj((i) -> () -> isWritten(write, token(i / each)))
				.toList();
			for (Future<Boolean> written : threads.invokeAll(writes)) {
				written.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static boolean isWritten(FencedWrite write, FencingToken token) throws Exception {
		try {
			write.write(token);
			return true;
		}
		catch (StaleLeaderException ex) {
			return false;
		}
	}

	private static FencingToken token(int index) {
		return new FencingToken("reports", 1 + index);
	}

	/**
	 * A write that may be refused.
	 */
	@FunctionalInterface
	public interface FencedWrite {

		void write(FencingToken token) throws Exception;

	}

}
