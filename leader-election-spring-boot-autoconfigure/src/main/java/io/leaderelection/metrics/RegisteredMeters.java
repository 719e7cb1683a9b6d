package io.leaderelection.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Registers meters and remembers them, so that they can be taken out again. A gauge holds
 * what it asks: it must neither turn to nothing under memory pressure nor outlive its
 * removal.
 */
final class RegisteredMeters {

	private static final String PREFIX = "leader.election.";

	private final MeterRegistry registry;

	private final Tags tags;

	private final List<Meter> registered;

	RegisteredMeters(MeterRegistry registry, Tags tags) {
		this(registry, tags, new ArrayList<>());
	}

	private RegisteredMeters(MeterRegistry registry, Tags tags, List<Meter> registered) {
		this.registry = registry;
		this.tags = tags;
		this.registered = registered;
	}

	/** Registers with one tag more, and remembers with these. */
	RegisteredMeters with(String key, String value) {
		return new RegisteredMeters(this.registry, this.tags.and(key, value), this.registered);
	}

	Counter counter(String name, String unit, String description) {
		return keep(Counter.builder(PREFIX + name)
			.tags(this.tags)
			.baseUnit(unit)
			.description(description)
			.register(this.registry));
	}

	/** Its unit is the registry's unit of time. */
	Timer timer(String name, String description) {
		return keep(Timer.builder(PREFIX + name).tags(this.tags).description(description).register(this.registry));
	}

	void gauge(String name, @Nullable String unit, String description, Supplier<Number> value) {
		keep(Gauge.builder(PREFIX + name, value)
			.tags(this.tags)
			.baseUnit(unit)
			.description(description)
			.register(this.registry));
	}

	/** Its unit is the registry's unit of time. */
	void timeGauge(String name, String description, Supplier<Duration> value) {
		keep(TimeGauge.builder(PREFIX + name, () -> value.get().toNanos(), TimeUnit.NANOSECONDS)
			.tags(this.tags)
			.description(description)
			.register(this.registry));
	}

	private <M extends Meter> M keep(M meter) {
		this.registered.add(meter);
		return meter;
	}

	void removeAll() {
		this.registered.forEach(this.registry::remove);
		this.registered.clear();
	}

}
