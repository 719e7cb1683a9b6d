package io.leaderelection.annotation;

import java.lang.reflect.Method;

import io.leaderelection.Leadership;
import org.jspecify.annotations.Nullable;

/**
 * Told of every call of a {@link LeaderOnly} method, on the thread where it happens: it
 * is skipped or rejected, or it begins and is executed or lost. All beans of this type
 * are told, in order. One that throws is logged and changes nothing for the call.
 */
public interface GuardedCallListener {

	/**
	 * The call was admitted and begins.
	 * @param leadership what it runs under
	 * @param method the guarded method
	 */
	default void began(Leadership leadership, Method method) {
	}

	/**
	 * The call has ended, and the leadership has lasted until then; of a future or a
	 * stream, its work has.
	 * @param leadership what it ran under
	 * @param method the guarded method
	 * @param nanos how long it took, in nanoseconds
	 * @param failure what it ended with; {@code null} if it succeeded or was cancelled by
	 * its caller
	 */
	default void executed(Leadership leadership, Method method, long nanos, @Nullable Throwable failure) {
	}

	/**
	 * The call was skipped, since this node does not lead.
	 * @param election the election
	 * @param method the guarded method
	 */
	default void skipped(String election, Method method) {
	}

	/**
	 * The call was refused with an exception, since this node does not lead.
	 * @param election the election
	 * @param method the guarded method
	 */
	default void rejected(String election, Method method) {
	}

	/**
	 * The call has ended after the leadership had, instead of
	 * {@link #executed(Leadership, Method, long, Throwable) executed}: what it has done
	 * may have been done beside a newer leader.
	 * @param leadership what it ran under
	 * @param method the guarded method
	 * @param nanos how long it took, in nanoseconds
	 * @param failure what it ended with by itself; {@code null} if it succeeded or was
	 * cancelled by its caller
	 */
	default void lost(Leadership leadership, Method method, long nanos, @Nullable Throwable failure) {
	}

}
