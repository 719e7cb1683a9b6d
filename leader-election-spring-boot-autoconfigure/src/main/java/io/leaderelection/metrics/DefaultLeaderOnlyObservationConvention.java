package io.leaderelection.metrics;

import java.lang.reflect.Method;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/**
 * The convention unless the application has its own. Low cardinality: {@code election},
 * {@code method}, {@code outcome}. High cardinality: {@code token}, {@code node}.
 */
public class DefaultLeaderOnlyObservationConvention implements LeaderOnlyObservationConvention {

	private static final String NAME = "leader.only";

	@Override
	public String getName() {
		return NAME;
	}

	@Override
	public String getContextualName(LeaderOnlyObservationContext context) {
		return "leader-only " + method(context.getMethod());
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(LeaderOnlyObservationContext context) {
		return KeyValues.of("election", context.getToken().election(), "method", method(context.getMethod()), "outcome",
				outcome(context));
	}

	private static String outcome(LeaderOnlyObservationContext context) {
		if (!context.isOver()) {
			return KeyValue.NONE_VALUE;
		}
		return Words.of(context.isLost() ? Outcome.LOST : Outcome.EXECUTED);
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(LeaderOnlyObservationContext context) {
		return KeyValues.of("node", context.getNodeId(), "token", Long.toString(context.getToken().value()));
	}

	private static String method(Method method) {
		return method.getDeclaringClass().getSimpleName() + "." + method.getName();
	}

}
