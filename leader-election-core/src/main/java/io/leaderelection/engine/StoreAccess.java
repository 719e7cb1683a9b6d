package io.leaderelection.engine;

import java.util.function.Function;

import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.store.LeaseStore;

/**
 * Makes the blocking calls to the store elsewhere. The engine submits one after the
 * other, and goes on to the next when one has taken too long.
 */
public interface StoreAccess {

	/**
	 * Makes a call. Returns at once.
	 * @param operation which of the store's operations it is
	 * @param call what to ask the store
	 * @param answer takes the outcome, later and not from within this method; an answer
	 * that comes after the call was abandoned is delivered all the same
	 * @return the call, to be abandoned
	 */
	<R> Call submit(Operation operation, Function<LeaseStore, R> call, Answer<R> answer);

	/**
	 * The operations of a store, of a watch, and of its end.
	 */
	enum Operation {

		ACQUIRE, RENEW, RELEASE, TRANSFER, READ, WATCH, UNWATCH

	}

	/**
	 * Takes the outcome of a call.
	 *
	 * @param <R> what the store returns
	 */
	interface Answer<R> {

		/**
		 * The store answered.
		 * @param sentAt a moment before the request was sent
		 * @param result what it said
		 */
		void answered(Moment sentAt, R result);

		/**
		 * The call failed; its effect is unknown.
		 * @param failure why
		 */
		void failed(Throwable failure);

	}

	/**
	 * A call under way.
	 */
	interface Call {

		/**
		 * Nobody waits for this call any more: interrupt it, and do not let it hold up
		 * the next one.
		 */
		void abandon();

	}

}
