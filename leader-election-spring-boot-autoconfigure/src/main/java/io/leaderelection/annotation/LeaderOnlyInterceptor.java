package io.leaderelection.annotation;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the caller and a guarded method.
 */
final class LeaderOnlyInterceptor implements MethodInterceptor {

	private final Guards guards;

	private final GuardedCalls calls;

	LeaderOnlyInterceptor(Guards guards, GuardedCalls calls) {
		this.guards = guards;
		this.calls = calls;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation call) throws Throwable {
		Guard guard = this.guards.of(call);
		return (guard != null) ? guard.result().call(guard, call, this.calls) : call.proceed();
	}

}
