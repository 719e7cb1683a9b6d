package io.leaderelection.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Registration;
import io.leaderelection.store.LeaseStore;

/**
 * Hands a leadership over and back between two nodes of its own, whose store is in
 * memory. In most processes the code of a hand-over runs once in days, and for the first
 * time when others wait for it: what would then be loaded and linked is so now, in the
 * background. Once for all nodes of a process.
 */
final class Rehearsal implements Runnable {

	private static final AtomicBoolean BEGUN = new AtomicBoolean();

	private static final String NAME = "rehearsal";

	private static final String FAILED = "Hand-overs could not be rehearsed";

	/** So many that the compiler takes note: what ran 200 times is compiled. */
	private static final int ROUNDS = 250;

	/** So many that a new connection knows the statements, when all else does already. */
	private static final int ROUNDS_AGAIN = 10;

	private static final Set<Class<?>> REHEARSED = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final Logger logger;

	private final LeaseStore store = new RehearsalStore();

	Rehearsal(Logger logger) {
		this.logger = logger;
	}

	/** How often a store rehearses: few times if one of its kind has in this process. */
	static int times(Class<? extends LeaseStore> store) {
		return REHEARSED.add(store) ? ROUNDS : ROUNDS_AGAIN;
	}

	static void beginOnce(Logger logger) {
		if (BEGUN.compareAndSet(false, true)) {
			Thread thread = RunningElections.daemons("leader-election-rehearsal", NAME)
				.newThread(new Rehearsal(logger));
			thread.setPriority(Thread.MIN_PRIORITY);
			try {
				thread.start();
			}
			catch (OutOfMemoryError ex) {
				// a process that may start no more threads; its elections go on
				logger.log(Level.DEBUG, FAILED, ex);
			}
		}
	}

	@Override
	public void run() {
		LeaderElections present = node(1);
		LeaderElections next = node(2);
		try {
			long begin = System.nanoTime();
			lead(present);
			for (int i = 0; i < ROUNDS; i++) {
				handOver(present, next);
				LeaderElections former = present;
				present = next;
				next = former;
			}
			long took = System.nanoTime() - begin;
			this.logger.log(Level.DEBUG, () -> "Rehearsed hand-overs for %s".formatted(Duration.ofNanos(took)));
		}
		catch (Throwable ex) {
			this.logger.log(Level.DEBUG, FAILED, ex);
		}
		finally {
			present.withdraw();
			next.withdraw();
		}
	}

	private LeaderElections node(int number) {
		return new RunningElections(this.store, NAME + "-" + number, ElectionSettings.defaults(), this.logger,
				Level.DEBUG, Duration.ZERO, true);
	}

	private void lead(LeaderElections node) {
		CompletableFuture<Boolean> gained = gained(node);
		node.start();
		await(gained);
	}

	/** Withdraws from within a guarded call, so that there is something to drain. */
	private void handOver(LeaderElections from, LeaderElections to) throws Exception {
		CompletableFuture<Boolean> gained = new CompletableFuture<>();
		LeaderElector leading = from.elector(NAME);
		Registration gaining = to.elector(NAME).onLeadershipGained(() -> gained.complete(true));
		Registration losing = leading.onLeadershipLost(() -> {
		});
		to.start();
		to.elector(NAME).tryBecomeLeader();
		CompletableFuture<Void> withdrawn = leading.executeAsLeader(from::withdraw);
		await(withdrawn.thenApply((done) -> true));
		await(gained);
		gaining.close();
		losing.close();
	}

	private CompletableFuture<Boolean> gained(LeaderElections node) {
		CompletableFuture<Boolean> gained = new CompletableFuture<>();
		node.elector(NAME).onLeadershipGained(() -> gained.complete(true));
		return gained;
	}

	private static void await(CompletableFuture<Boolean> outcome) {
		if (Waiting.atMost(PATIENCE, outcome).isEmpty()) {
			throw new IllegalStateException("It took longer than " + PATIENCE);
		}
	}

}
