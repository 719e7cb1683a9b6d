package io.leaderelection.test.contract;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.Lease;
import io.leaderelection.store.RenewResult.Renewed;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The leaderships for which several nodes contend at the same time, counted by the
 * process that all of them run in.
 */
final class Leaderships {

	private static final long HELD_NANOS = 1_000_000;

	private final Scene scene;

	private final AtomicInteger toCome;

	private final AtomicInteger leaders = new AtomicInteger();

	private final AtomicLong highestToken = new AtomicLong();

	private volatile long lastChange = System.nanoTime();

	Leaderships(Scene scene, int count) {
		this.scene = scene;
		this.toCome = new AtomicInteger(count);
	}

	long highestToken() {
		return this.highestToken.get();
	}

	/** Takes part until all leaderships have been, or one of the nodes has failed. */
	boolean contendedForBy(Node node, String election) {
		try {
			while (this.toCome.get() > 0) {
				this.scene.goesOn(this.lastChange, "a leader");
				AcquireResult answer = node.asksFor(election);
				if (answer instanceof Granted) {
					lead(node, node.lease(election, answer));
				}
			}
			return true;
		}
		finally {
			this.toCome.set(0);
		}
	}

	private void lead(Node node, Lease lease) {
		assertThat(this.leaders.incrementAndGet()).as("leaders at once").isEqualTo(1);
		assertThat(this.highestToken.getAndSet(lease.token())).as("token before %d", lease.token())
			.isLessThan(lease.token());
		long since = System.nanoTime();
		do {
			assertThat(node.renews(lease)).as("renewal of %s", lease).isInstanceOf(Renewed.class);
		}
		while (System.nanoTime() - since < HELD_NANOS);
		this.lastChange = System.nanoTime();
		this.toCome.decrementAndGet();
		this.leaders.decrementAndGet();
		node.releases(lease);
	}

}
