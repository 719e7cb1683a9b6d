package io.leaderelection.annotation;

import java.lang.reflect.Method;

import io.leaderelection.Leadership;
import org.jspecify.annotations.Nullable;

/**
 * Told of every call of a {@link LeaderOnly} method, on the thread where it happens. All
 * beans of this type are told, in order. One that throws is logged and changes nothing
 * for the call.
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
	 * The call has ended; of a future or a stream, its work has.
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
	 * The leadership ended before the call did, which is told just before the end of the
	 * call.
	 * @param leadership what it ran under
	 * @param method the guarded method
	 */
	default void lost(Leadership leadership, Method method) {
	}

}
