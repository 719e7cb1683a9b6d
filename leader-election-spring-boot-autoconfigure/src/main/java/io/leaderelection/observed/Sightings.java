package io.leaderelection.observed;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Since when, on this node's monotonic clock, records have been seen as they are. What is
 * seen at a moment was written before it. So a lease whose record stays the same for as
 * long as the lease lasts has ended, whatever clocks show.
 */
final class Sightings {

	private final LongSupplier nanos;

	private final Map<String, Sighting> sightings = new HashMap<>();

	Sightings(LongSupplier nanos) {
		this.nanos = nanos;
	}

	/** Takes note of a record as it was just seen. */
	synchronized Look saw(String election, Sight seen) {
		long now = this.nanos.getAsLong();
		Sighting first = this.sightings.compute(election,
				(key, before) -> (before != null && before.seen.equals(seen)) ? before : new Sighting(seen, now));
		return new Look(seen, Duration.ofNanos(now - first.since));
	}

	private record Sighting(Sight seen, long since) {
	}

}
