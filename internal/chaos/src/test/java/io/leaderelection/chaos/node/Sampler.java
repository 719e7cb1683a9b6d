package io.leaderelection.chaos.node;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Asks this process, every two milliseconds and as long as it lives, whether it leads.
 */
final class Sampler {

	private static final long INTERVAL = 2_000_000;

	private final SampleLog log;

	private final BooleanSupplier leads;

	private final LongSupplier token;

	Sampler(SampleLog log, BooleanSupplier leads, LongSupplier token) {
		this.log = log;
		this.leads = leads;
		this.token = token;
	}

	void start() {
		Threads.daemon("sampler", this::sample);
	}

	private void sample() {
		while (true) {
			long tokenBefore = this.token.getAsLong();
			long before = System.nanoTime();
			boolean leader = this.leads.getAsBoolean();
			long after = System.nanoTime();
			boolean sameToken = leader && tokenBefore == this.token.getAsLong();
			this.log.add(leader, sameToken ? tokenBefore : 0, before, after);
			LockSupport.parkNanos(INTERVAL);
		}
	}

}
