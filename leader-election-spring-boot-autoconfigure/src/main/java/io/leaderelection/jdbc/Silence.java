package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * For how long a database that is asked something has said nothing. Several may ask at a
 * time: who comes later does not wait anew for one that is silent already.
 */
final class Silence {

	private final LongSupplier nanos;

	private int asking;

	private long since;

	Silence() {
		this(System::nanoTime);
	}

	Silence(LongSupplier nanos) {
		this.nanos = nanos;
	}

	synchronized void begin() {
		if (this.asking++ == 0) {
			this.since = this.nanos.getAsLong();
		}
	}

	synchronized void interrupted() {
		this.since = this.nanos.getAsLong();
	}

	synchronized void end() {
		this.asking--;
	}

	/** What is left of somebody's patience, in nanoseconds. */
	synchronized long left(Duration patience) {
		return this.since + patience.toNanos() - this.nanos.getAsLong();
	}

}
