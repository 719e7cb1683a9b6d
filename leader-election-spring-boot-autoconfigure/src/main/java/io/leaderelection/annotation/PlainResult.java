package io.leaderelection.annotation;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Future;

import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.Work;
import io.leaderelection.annotation.GuardedCallObserver.ObservedCall;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;

/**
 * The work is over when the method returns.
 */
final class PlainResult implements ResultKind {

	private static final Map<Class<?>, Object> EMPTY_VALUES = Map.of(Optional.class, Optional.empty(),
			OptionalInt.class, OptionalInt.empty(), OptionalLong.class, OptionalLong.empty(), OptionalDouble.class,
			OptionalDouble.empty());

	/** Whether there may be work behind an object of a class; asked once a class. */
	private static final ClassValue<Boolean> GOES_ON = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			return Future.class.isAssignableFrom(type)
					|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
		}

	};

	private final Class<?> type;

	private final @Nullable Object empty;

	PlainResult(Class<?> type) {
		this.type = type;
		this.empty = EMPTY_VALUES.get(type);
	}

	@Override
	public boolean canBeEmpty() {
		return !this.type.isPrimitive() || this.type == void.class;
	}

	@Override
	public @Nullable Object call(Guard guard, MethodInvocation call, GuardedCalls calls) throws Throwable {
		LeaderElector elector = guard.elector(call);
		Work work = elector.begin(guard.onLoss()).orElse(null);
		if (work == null) {
			NotLeaderException refusal = calls.refused(guard, elector);
			if (refusal != null) {
				throw refusal;
			}
			return this.empty;
		}
		return run(guard, call, calls, work);
	}

	private @Nullable Object run(Guard guard, MethodInvocation call, GuardedCalls calls, Work work) throws Throwable {
		Leadership leadership = work.leadership();
		long begun = calls.began(guard, leadership);
		ObservedCall observed = calls.observe(guard, leadership, GuardedCalls.NO_CONTEXT);
		Object result;
		try {
			guard.fillIn(call, leadership);
			result = GuardedCalls.proceed(guard, call, observed);
			if (this.type == Object.class) {
				requireOver(result, guard);
			}
		}
		catch (Throwable ex) {
			boolean lasted = work.end();
			calls.ended(guard, leadership, begun, observed, lasted, ex);
			throw lasted ? ex : GuardedCalls.withLoss(ex, leadership);
		}
		boolean lasted = work.end();
		calls.ended(guard, leadership, begun, observed, lasted, null);
		if (!lasted) {
			throw new LeadershipLostException(leadership.token());
		}
		return result;
	}

	/** The declared type has promised nothing, so the value may turn out to be more. */
	private static void requireOver(@Nullable Object result, Guard guard) {
		Object value = (result instanceof Optional<?> optional) ? optional.orElse(null) : result;
		if (value != null && GOES_ON.get(value.getClass())) {
			throw new IllegalStateException(
					"%s is declared to return Object, but returned a %s, whose work cannot be guarded any more. "
						.formatted(guard, value.getClass().getName()) + "Declare the type that it returns");
		}
	}

}
