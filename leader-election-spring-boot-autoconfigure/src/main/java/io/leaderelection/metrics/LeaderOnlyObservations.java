package io.leaderelection.metrics;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.annotation.GuardedCallObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Makes an {@link Observation} of every guarded call that runs: the parent of what
 * happens inside, on the calling thread by its scope, and in a stream by the context.
 */
final class LeaderOnlyObservations implements GuardedCallObserver {

	private static final LeaderOnlyObservationConvention DEFAULT = new DefaultLeaderOnlyObservationConvention();

	private final ObservationRegistry registry;

	private final String nodeId;

	private final @Nullable LeaderOnlyObservationConvention convention;

	/**
	 * Observations of the calls of a node.
	 * @param registry where they are made
	 * @param elections the elections of the node
	 * @param convention the application's own convention, if it has one
	 */
	public LeaderOnlyObservations(ObservationRegistry registry, LeaderElections elections,
			@Nullable LeaderOnlyObservationConvention convention) {
		this.registry = registry;
		this.nodeId = elections.nodeId();
		this.convention = convention;
	}

	@Override
	public @Nullable ObservedCall begin(Leadership leadership, Method method, UnaryOperator<@Nullable Object> context) {
		if (this.registry.isNoop()) {
			return null;
		}
		FencingToken token = leadership.token();
		LeaderOnlyObservationContext own = new LeaderOnlyObservationContext(token, this.nodeId, method);
		if (context.apply(ObservationThreadLocalAccessor.KEY) instanceof Observation outer) {
			own.setParentObservation(outer);
		}
		Observation observation = Observation.createNotStarted(this.convention, DEFAULT, () -> own, this.registry);
		return observation.isNoop() ? null : new ObservedLeaderOnly(observation.start(), own);
	}

	/**
	 * One call.
	 *
	 * @param observation has been started
	 * @param own its context
	 */
	private record ObservedLeaderOnly(Observation observation,
			LeaderOnlyObservationContext own) implements ObservedCall {

		@Override
		public Scope open() {
			return this.observation.openScope()::close;
		}

		@Override
		public Map<Object, Object> context() {
			return Map.of(ObservationThreadLocalAccessor.KEY, this.observation);
		}

		@Override
		public void end(boolean lasted, @Nullable Throwable failure) {
			this.own.end(lasted);
			Throwable error = (failure != null || lasted) ? failure : new LeadershipLostException(this.own.getToken());
			if (error != null) {
				this.observation.error(error);
			}
			this.observation.stop();
		}

	}

}
