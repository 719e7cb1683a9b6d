package io.leaderelection.annotation;

import java.util.List;
import java.util.function.UnaryOperator;

import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.OnLoss;
import io.leaderelection.annotation.GuardedCallObserver.ObservedCall;
import io.leaderelection.annotation.GuardedCallObserver.Scope;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Tells listeners and observer what becomes of guarded calls. Without them it does
 * nothing, and asks no clock.
 */
final class GuardedCalls {

	private static final Log logger = LogFactory.getLog(GuardedCalls.class);

	static final UnaryOperator<@Nullable Object> NO_CONTEXT = (key) -> null;

	private volatile GuardedCallListener[] listeners = {};

	private volatile @Nullable GuardedCallObserver observer;

	void tell(List<GuardedCallListener> listeners, @Nullable GuardedCallObserver observer) {
		this.listeners = listeners.toArray(new GuardedCallListener[0]);
		this.observer = observer;
	}

	/**
	 * A call begins.
	 * @return when, for {@link #ended}
	 */
	long began(Guard guard, Leadership leadership) {
		GuardedCallListener[] told = this.listeners;
		if (told.length == 0) {
			return 0;
		}
		for (GuardedCallListener listener : told) {
			try {
				listener.began(leadership, guard.method());
			}
			catch (RuntimeException ex) {
				report(listener, guard, ex);
			}
		}
		return System.nanoTime();
	}

	/**
	 * Begins to observe a call.
	 * @param context the context of the subscriber, if there is one
	 * @return for {@link #proceed} and {@link #ended}; {@code null} if nobody observes
	 */
	@Nullable ObservedCall observe(Guard guard, Leadership leadership, UnaryOperator<@Nullable Object> context) {
		GuardedCallObserver present = this.observer;
		if (present == null) {
			return null;
		}
		try {
			return present.begin(leadership, guard.method(), context);
		}
		catch (RuntimeException ex) {
			report(present, guard, ex);
			return null;
		}
	}

	/** Calls the method, in the scope of its observer if there is one. */
	static @Nullable Object proceed(Guard guard, MethodInvocation call, @Nullable ObservedCall observed)
			throws Throwable {
		if (observed == null) {
			return call.proceed();
		}
		Scope scope = open(guard, observed);
		try {
			return call.proceed();
		}
		finally {
			close(guard, observed, scope);
		}
	}

	private static @Nullable Scope open(Guard guard, ObservedCall observed) {
		try {
			return observed.open();
		}
		catch (RuntimeException ex) {
			report(observed, guard, ex);
			return null;
		}
	}

	private static void close(Guard guard, ObservedCall observed, @Nullable Scope scope) {
		try {
			if (scope != null) {
				scope.close();
			}
		}
		catch (RuntimeException ex) {
			report(observed, guard, ex);
		}
	}

	void ended(Guard guard, Leadership leadership, long begun, @Nullable ObservedCall observed, boolean lasted,
			@Nullable Throwable failure) {
		if (observed != null) {
			try {
				observed.end(lasted, failure);
			}
			catch (RuntimeException ex) {
				report(observed, guard, ex);
			}
		}
		GuardedCallListener[] told = this.listeners;
		if (told.length == 0) {
			return;
		}
		long nanos = (begun != 0) ? System.nanoTime() - begun : 0;
		for (GuardedCallListener listener : told) {
			try {
				if (lasted) {
					listener.executed(leadership, guard.method(), nanos, failure);
				}
				else {
					listener.lost(leadership, guard.method(), nanos, failure);
				}
			}
			catch (RuntimeException ex) {
				report(listener, guard, ex);
			}
		}
	}

	/**
	 * A call must not run.
	 * @return what to throw; {@code null} if it is to be skipped
	 */
	@Nullable NotLeaderException refused(Guard guard, LeaderElector elector) {
		for (GuardedCallListener listener : this.listeners) {
			try {
				if (guard.skips()) {
					listener.skipped(elector.election(), guard.method());
				}
				else {
					listener.rejected(elector.election(), guard.method());
				}
			}
			catch (RuntimeException ex) {
				report(listener, guard, ex);
			}
		}
		return guard.skips() ? null : new NotLeaderException(elector.election(), elector.getCurrentLeader());
	}

	private static void report(Object told, Guard guard, RuntimeException failure) {
		logger.warn("%s failed when it was told of a call of %s".formatted(told.getClass().getName(), guard), failure);
	}

	/**
	 * Whether work is to be cancelled when its leadership begins to end. What is part of
	 * work that is being waited for already is not torn out of it.
	 */
	static boolean cancels(Guard guard, Leadership leadership, @Nullable Leadership outer) {
		return guard.onLoss() == OnLoss.INTERRUPT && (leadership != outer || leadership.isCurrent());
	}

	/** Notes a loss in the exception that a call has ended with anyway. */
	static <T extends Throwable> T withLoss(T failure, Leadership leadership) {
		if (!(failure instanceof LeadershipLostException)) {
			failure.addSuppressed(new LeadershipLostException(leadership.token()));
		}
		return failure;
	}

}
