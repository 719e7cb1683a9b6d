package io.leaderelection.nodes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.leaderelection.LeaderElector;
import io.leaderelection.store.LeaseStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole nodes whose clients can be closed behind their back, as a crash does it.
 *
 * @param <C> the client of a store
 */
public abstract class ClosableClientContract<C extends AutoCloseable> extends RunningNodesContract {

	private final List<LeaseStore> stores = new ArrayList<>();

	/**
	 * The name of the product, for figures that are printed.
	 * @return the name
	 */
	protected abstract String product();

	protected abstract C connect();

	/**
	 * A store that closes its client when it is closed.
	 */
	protected abstract LeaseStore storeOn(C client);

	/**
	 * A store of this test.
	 * @param client of its own
	 * @return the store, which is closed after the test
	 */
	protected final LeaseStore newStore(C client) {
		LeaseStore store = storeOn(client);
		this.stores.add(store);
		return store;
	}

	@Override
	protected final LeaseStore newStore() {
		return newStore(connect());
	}

	/** After the nodes, or they could not give up their leases. */
	@AfterEach
	void closeStores() throws Exception {
		closeNodes();
		for (LeaseStore store : this.stores) {
			((AutoCloseable) store).close();
		}
	}

	@Test
	void aCrashIsFollowedAtTheEndOfTheLease() throws Exception {
		Duration lease = lease().plusSeconds(1);
		C crashing = connect();
		LeaderElector first = node(newStore(crashing), lease).elector("reports");
		await().until(first::isLeader);
		LeaseStore store = newStore(connect());
		LeaderElector second = node(store, lease).elector("reports");
		awaitCommonLeader(List.of(first, second));
		try (Overlaps overlaps = new Overlaps(List.of(first, second))) {
			assertThat(overlaps).isNotNull();
			crashing.close();
			long crashedAt = System.nanoTime();
			Duration remaining = store.read("reports").orElseThrow().remaining();
			await().until(second::isLeader);
			Duration missed = Duration.ofNanos(System.nanoTime() - crashedAt);
			System.out.printf(
					"After a crash on %s: %d ms after the end of the lease as its follower saw it, %d ms after the "
							+ "crash, with a lease of %d ms%n",
					product(), missed.minus(remaining).toMillis(), missed.toMillis(), lease.toMillis());
			assertThat(missed).isLessThan(remaining.plusMillis(1000));
		}
	}

	/**
	 * Two nodes hand over to each other.
	 * @param rounds how many times
	 * @param lease how long their leases last
	 * @param aside for how long who has led does not stand again
	 * @return how long each took, the shortest first
	 */
	protected final List<Duration> handOvers(int rounds, Duration lease, Duration aside) {
		LeaderElector one = node(newStore(), lease).elector("reports");
		LeaderElector other = node(newStore(), lease).elector("reports");
		List<Duration> handOvers = new ArrayList<>();
		for (int i = 0; i < rounds; i++) {
			awaitCommonLeader(List.of(one, other));
			LeaderElector leader = one.isLeader() ? one : other;
			LeaderElector next = (leader == one) ? other : one;
			long start = System.nanoTime();
			leader.operations().stepDown(aside);
			Awaitility.await()
				.pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofNanos(100_000))
				.atMost(Duration.ofSeconds(20))
				.until(next::isLeader);
			handOvers.add(Duration.ofNanos(System.nanoTime() - start));
			await().until(() -> System.nanoTime() - start > aside.toNanos());
		}
		handOvers.sort(null);
		System.out.printf("Hand-over on %s: median %.1f ms, longest %.1f ms%n", product(),
				handOvers.get(rounds / 2).toNanos() / 1e6, handOvers.get(rounds - 1).toNanos() / 1e6);
		return handOvers;
	}

}
