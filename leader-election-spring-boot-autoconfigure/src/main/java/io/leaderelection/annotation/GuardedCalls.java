package io.leaderelection.annotation;

import java.util.List;

import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.OnLoss;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Tells the listeners what becomes of guarded calls. Without listeners it does nothing,
 * and asks no clock.
 */
final class GuardedCalls {

	private static final Log logger = LogFactory.getLog(GuardedCalls.class);

	private volatile GuardedCallListener[] listeners = {};

	void tell(List<GuardedCallListener> listeners) {
		this.listeners = listeners.toArray(new GuardedCallListener[0]);
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

	void ended(Guard guard, Leadership leadership, long begun, boolean lasted, @Nullable Throwable failure) {
		GuardedCallListener[] told = this.listeners;
		if (told.length == 0) {
			return;
		}
		long nanos = (begun != 0) ? System.nanoTime() - begun : 0;
		for (GuardedCallListener listener : told) {
			try {
				if (!lasted) {
					listener.lost(leadership, guard.method());
				}
				listener.executed(leadership, guard.method(), nanos, failure);
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

	private static void report(GuardedCallListener listener, Guard guard, RuntimeException failure) {
		logger.warn("%s failed when it was told of a call of %s".formatted(listener.getClass().getName(), guard),
				failure);
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
