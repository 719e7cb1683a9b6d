package io.leaderelection.annotation;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * How calls are guarded, which depends on what the method returns: the work may be over
 * when the method returns, or go on, or not even have begun.
 */
interface ResultKind {

	/**
	 * Makes a call if this node leads, and sees to it that it is counted for as long as
	 * its work lasts.
	 * @param guard the guarded method
	 * @param call the call
	 * @param calls told what becomes of it
	 * @return what the caller gets
	 */
	@Nullable Object call(Guard guard, MethodInvocation call, GuardedCalls calls) throws Throwable;

	/**
	 * Whether there is something that a skipped call can return.
	 * @return {@code false} if calls cannot be skipped
	 */
	boolean canBeEmpty();

}
