package io.leaderelection.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names the observations of guarded calls and says what they carry. A bean of this type
 * replaces {@link DefaultLeaderOnlyObservationConvention}.
 */
public interface LeaderOnlyObservationConvention extends ObservationConvention<LeaderOnlyObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof LeaderOnlyObservationContext;
	}

}
