package io.leaderelection;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.awaitility.Awaitility.await;

/**
 * Holds threads up until it is opened, for good.
 */
public final class Gate {

	private final CountDownLatch opened = new CountDownLatch(1);

	private final AtomicInteger waiting = new AtomicInteger();

	public void open() {
		this.opened.countDown();
	}

	/** How many threads wait just now. */
	public int waiting() {
		return this.waiting.get();
	}

	/** Returns as soon as a thread waits. */
	public void awaitArrival() {
		await().atMost(Duration.ofSeconds(20))
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(2))
			.until(() -> waiting() > 0);
	}

	/** Waits; an interruption ends it with an exception. */
	public void pass() {
		this.waiting.incrementAndGet();
		try {
			if (!this.opened.await(60, TimeUnit.SECONDS)) {
				throw new IllegalStateException("the gate was never opened");
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("interrupted at the gate", ex);
		}
		finally {
			this.waiting.decrementAndGet();
		}
	}

	/** Waits as a client does that does not heed interruption. */
	public void passDeafly() {
		this.waiting.incrementAndGet();
		boolean interrupted = false;
		try {
			while (true) {
				try {
					this.opened.await();
					return;
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			this.waiting.decrementAndGet();
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
