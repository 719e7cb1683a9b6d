package io.leaderelection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.leaderelection.Nodes.LONG;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leaderships that end and begin as fast as they can, while threads work under them. The
 * lease is long, so that nothing ends but by somebody's wish: then there is never an
 * overlap, not even by a paused process.
 */
@Timeout(60)
class HandOverStressTests {

	private static final int HAND_OVERS = 600;

	@RegisterExtension
	final Nodes nodes = new Nodes();

	private final Queue<String> violations = new ConcurrentLinkedQueue<>();

	private final AtomicInteger working = new AtomicInteger();

	private final AtomicInteger worked = new AtomicInteger();

	private final AtomicReference<FencingToken> present = new AtomicReference<>();

	private final AtomicInteger gains = new AtomicInteger();

	private final AtomicBoolean over = new AtomicBoolean();

	@Test
	void nobodyWorksOrCleansUpBesideTheNext() {
		List<LeaderElections> running = IntStream.range(0, 3).mapToObj((i) -> {
			LeaderElections node = this.nodes.make("node-" + i, LONG, this.nodes.store());
			node.elector("reports").addListener(new Witness());
			node.start();
			return node;
		}).toList();
		List<CompletableFuture<Void>> threads = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			threads.add(inBackground(() -> work(running)));
		}
		threads.add(inBackground(() -> operate(running)));
		try {
			Nodes.until(() -> this.gains.get() >= HAND_OVERS || !this.violations.isEmpty());
		}
		finally {
			this.over.set(true);
		}
		threads.forEach((thread) -> assertThat(thread).succeedsWithin(Duration.ofSeconds(20)));
		running.forEach(LeaderElections::stop);
		assertThat(this.violations).isEmpty();
		assertThat(this.worked).hasPositiveValue();
		assertThat(this.present).hasValue(null);
	}

	private static CompletableFuture<Void> inBackground(Runnable loop) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				loop.run();
				done.complete(null);
			}
			catch (Throwable ex) {
				done.completeExceptionally(ex);
			}
		});
		thread.setDaemon(true);
		thread.start();
		return done;
	}

	private void work(List<LeaderElections> running) {
		while (!this.over.get()) {
			LeaderElector elector = any(running).elector("reports");
			try {
				elector.executeAsLeader(() -> {
					this.working.incrementAndGet();
					Thread.yield();
					this.working.decrementAndGet();
					return this.worked.incrementAndGet();
				});
			}
			catch (NotLeaderException ex) {
				Thread.yield();
			}
			catch (Exception ex) {
				this.violations.add("work failed: " + ex);
			}
		}
	}

	private void operate(List<LeaderElections> running) {
		while (!this.over.get()) {
			LeaderElections node = any(running);
			LeaderElector elector = node.elector("reports");
			switch (ThreadLocalRandom.current().nextInt(6)) {
				case 0, 1 -> elector.operations().stepDown(Duration.ZERO).join();
				case 2 -> elector.operations().transferTo(any(running).nodeId()).exceptionally((ex) -> false).join();
				case 3 -> {
					elector.operations().pause();
					elector.operations().resume();
				}
				case 4 -> {
					node.stop();
					node.start();
				}
				default -> elector.tryBecomeLeader();
			}
		}
	}

	private static LeaderElections any(List<LeaderElections> running) {
		return running.get(ThreadLocalRandom.current().nextInt(running.size()));
	}

	/**
	 * Sees gains and losses of one node.
	 */
	private final class Witness implements LeadershipListener {

		@Override
		public void gained(Gained event) {
			HandOverStressTests.this.gains.incrementAndGet();
			FencingToken led = HandOverStressTests.this.present.getAndSet(event.token());
			if (led != null) {
				HandOverStressTests.this.violations
					.add("%s was gained before lost(%s) had returned".formatted(event.token(), led));
			}
		}

		@Override
		public void lost(Lost event) {
			int left = HandOverStressTests.this.working.get();
			if (left > 0) {
				HandOverStressTests.this.violations.add("%d still worked after the end of %s".formatted(left, event));
			}
			Thread.yield();
			if (!HandOverStressTests.this.present.compareAndSet(event.token(), null)) {
				HandOverStressTests.this.violations.add("another was gained during lost(%s)".formatted(event.token()));
			}
		}

	}

}
