package io.leaderelection.annotation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.Registration;
import io.leaderelection.Work;
import io.leaderelection.annotation.GuardedCallObserver.ObservedCall;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The work begins when the method is called, and is over when the future that it returns
 * is complete.
 */
final class StageResult implements ResultKind {

	static boolean covers(Class<?> type) {
		return type == CompletionStage.class || type == CompletableFuture.class || type == Future.class;
	}

	@Override
	public boolean canBeEmpty() {
		return true;
	}

	@Override
	public @Nullable Object call(Guard guard, MethodInvocation call, GuardedCalls calls) throws Throwable {
		LeaderElector elector = guard.elector(call);
		Leadership outer = CurrentLeadership.get();
		Work work = elector.begin(guard.onLoss()).orElse(null);
		if (work == null) {
			return refused(calls.refused(guard, elector));
		}
		boolean cancels = GuardedCalls.cancels(guard, work.leadership(), outer);
		return new Call(guard, calls, work.detached(), cancels).make(call, work);
	}

	private static CompletableFuture<?> refused(@Nullable NotLeaderException refusal) {
		return (refusal != null) ? CompletableFuture.failedFuture(refusal) : CompletableFuture.completedFuture(null);
	}

	/**
	 * One call, from its admission to the end of its work.
	 */
	private static final class Call {

		private final Guard guard;

		private final GuardedCalls calls;

		private final Work future;

		private final Leadership leadership;

		private final boolean cancels;

		private long begun;

		private @Nullable ObservedCall observed;

		/**
		 * The call of an admitted method.
		 * @param future the part of the work that goes on when the method has returned
		 */
		Call(Guard guard, GuardedCalls calls, Work future, boolean cancels) {
			this.guard = guard;
			this.calls = calls;
			this.future = future;
			this.leadership = future.leadership();
			this.cancels = cancels;
		}

		@Nullable Object make(MethodInvocation call, Work work) throws Throwable {
			this.begun = this.calls.began(this.guard, this.leadership);
			this.observed = this.calls.observe(this.guard, this.leadership, GuardedCalls.NO_CONTEXT);
			Object result;
			try {
				this.guard.fillIn(call, this.leadership);
				result = GuardedCalls.proceed(this.guard, call, this.observed);
				if (result instanceof Future<?> future && !(result instanceof CompletionStage<?>)) {
					requireOver(future);
				}
			}
			catch (Throwable ex) {
				boolean lasted = work.end();
				ended(lasted, ex);
				throw lasted ? ex : GuardedCalls.withLoss(ex, this.leadership);
			}
			boolean lasted = work.end();
			if (result instanceof CompletionStage<?> stage) {
				return followed(stage);
			}
			ended(lasted, null);
			if (!lasted) {
				throw new LeadershipLostException(this.leadership.token());
			}
			return result;
		}

		/** Nobody is told when such a future is done, so nobody could be waited for. */
		private void requireOver(Future<?> future) {
			if (!future.isDone()) {
				future.cancel(true);
				throw new IllegalStateException(
						"%s returned a %s that is not done, and does not tell when it will be. Return a CompletionStage"
							.formatted(this.guard, future.getClass().getName()));
			}
		}

		private CompletableFuture<Object> followed(CompletionStage<?> stage) {
			CompletableFuture<Object> result = new CompletableFuture<>();
			Registration ending = this.cancels ? this.leadership.onEnding(() -> {
				result.completeExceptionally(new LeadershipLostException(this.leadership.token()));
				cancel(stage);
			}) : null;
			stage.whenComplete((value, failure) -> {
				if (ending != null) {
					ending.close();
				}
				complete(result, value, failure);
			});
			result.whenComplete((value, failure) -> {
				if (result.isCancelled()) {
					cancel(stage);
				}
			});
			return result;
		}

		private void complete(CompletableFuture<Object> result, @Nullable Object value, @Nullable Throwable failure) {
			boolean lasted = this.leadership.isHeld() && !(result.isCompletedExceptionally() && !result.isCancelled());
			try {
				if (failure != null) {
					result.completeExceptionally(lasted ? failure : GuardedCalls.withLoss(failure, this.leadership));
				}
				else if (lasted) {
					result.complete(value);
				}
				else {
					result.completeExceptionally(new LeadershipLostException(this.leadership.token()));
				}
			}
			finally {
				ended(lasted, failure);
			}
		}

		private static void cancel(CompletionStage<?> stage) {
			if (stage instanceof Future<?> future) {
				future.cancel(true);
			}
		}

		private void ended(boolean lasted, @Nullable Throwable failure) {
			this.future.end();
			this.calls.ended(this.guard, this.leadership, this.begun, this.observed, lasted, failure);
		}

	}

}
