package io.leaderelection.kubernetes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.leaderelection.kubernetes.ApiServer.Answer;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one call, which end together. Few of them are under way at a time,
 * since a client may open a connection for each. What the API server refuses for the
 * moment, or was not there to hear, is asked again as long as there is time.
 */
final class Requests {

	private static final int LANES = 8;

	private static final long FIRST_PAUSE_MILLIS = 20;

	private static final long LONGEST_PAUSE_MILLIS = 500;

	private final Duration limit;

	private final long endsAt;

	private final List<CompletableFuture<?>> lanes = new ArrayList<>();

	private int next;

	Requests(Duration limit) {
		this.limit = limit;
		this.endsAt = System.nanoTime() + limit.toNanos();
		for (int i = 0; i < LANES; i++) {
			this.lanes.add(CompletableFuture.completedFuture(null));
		}
	}

	/**
	 * Sends a request when its turn comes.
	 * @param request sends it once, with the time that it may take
	 * @return completed with the answer, whatever it is
	 */
	CompletableFuture<Answer> send(Function<Duration, CompletableFuture<Answer>> request) {
		int lane = this.next++ % LANES;
		CompletableFuture<Answer> answer = this.lanes.get(lane)
			.handle((before, failure) -> request)
			.thenCompose((turn) -> attempt(turn, FIRST_PAUSE_MILLIS));
		this.lanes.set(lane, answer);
		return answer;
	}

	private CompletableFuture<Answer> attempt(Function<Duration, CompletableFuture<Answer>> request, long pause) {
		if (remaining().isNegative()) {
			return CompletableFuture.failedFuture(tooLate());
		}
		return request.apply(remaining())
			.handle((answer, failure) -> again(answer, failure) && remaining().toMillis() > pause
					? later(pause).thenCompose((turn) -> attempt(request, Math.min(2 * pause, LONGEST_PAUSE_MILLIS)))
					: completed(answer, failure))
			.thenCompose(Function.identity());
	}

	private static boolean again(@Nullable Answer answer, @Nullable Throwable failure) {
		return failure != null || (answer != null && answer.isRefusedForTheMoment());
	}

	private static CompletableFuture<Answer> completed(@Nullable Answer answer, @Nullable Throwable failure) {
		if (answer != null) {
			return CompletableFuture.completedFuture(answer);
		}
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		return CompletableFuture.failedFuture((cause != null) ? cause : new IllegalStateException("No answer"));
	}

	private static CompletableFuture<Void> later(long millis) {
		Executor executor = CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
		return CompletableFuture.runAsync(() -> {
		}, executor);
	}

	/**
	 * Waits for an answer, to the end of the call at most.
	 * @throws KubernetesLeaseStoreException if there is none
	 */
	<T> T await(CompletableFuture<T> answer) {
		Duration remaining = remaining();
		if (remaining.isNegative() && !answer.isDone()) {
			answer.cancel(true);
			throw tooLate();
		}
		return ApiServer.await(answer, remaining.isNegative() ? Duration.ZERO : remaining);
	}

	private Duration remaining() {
		return Duration.ofNanos(this.endsAt - System.nanoTime());
	}

	private KubernetesLeaseStoreException tooLate() {
		return new KubernetesLeaseStoreException(
				"The API server did not answer within %d ms".formatted(this.limit.toMillis()), (Throwable) null);
	}

}
