package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.leaderelection.Leadership;
import org.jspecify.annotations.Nullable;

/**
 * Goes along with the calls of {@link LeaderOnly} methods that are admitted, as tracing
 * does. There is one bean of this type at the most. What it throws is logged and changes
 * nothing for the call.
 */
@FunctionalInterface
public interface GuardedCallObserver {

	/**
	 * The call was admitted and begins; of a stream, its subscription does.
	 * @param leadership what it runs under
	 * @param method the guarded method
	 * @param context finds what the subscriber of a stream has in its context under a
	 * key; finds nothing for other calls
	 * @return what goes along with the call; {@code null} if it need not be observed
	 */
	@Nullable ObservedCall begin(Leadership leadership, Method method, UnaryOperator<@Nullable Object> context);

	/**
	 * One call, from its admission to the end of its work.
	 */
	interface ObservedCall {

		/**
		 * Opens what the method shall run in, on the thread that calls it.
		 * @return closed on the same thread when the method has returned, though the work
		 * of a future or a stream goes on
		 */
		Scope open();

		/**
		 * What a stream carries along in its context, so that it is found on other
		 * threads.
		 * @return values by their keys
		 */
		Map<Object, Object> context();

		/**
		 * The work is over, on whichever thread.
		 * @param lasted whether the leadership has lasted until now
		 * @param failure what the work ended with; {@code null} if it succeeded or was
		 * cancelled by its caller
		 */
		void end(boolean lasted, @Nullable Throwable failure);

	}

	/**
	 * What is open on a thread.
	 */
	@FunctionalInterface
	interface Scope extends AutoCloseable {

		@Override
		void close();

	}

}
