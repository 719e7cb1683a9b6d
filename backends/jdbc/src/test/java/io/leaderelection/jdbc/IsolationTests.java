package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.servers.Database;
import io.leaderelection.servers.TestDatabase;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult.Lost;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever isolation the connections have by default, at most one node holds a lease, and
 * a conflict is trouble, not a loss.
 */
class IsolationTests {

	private static final int NODES = 4;

	private static final int ELECTIONS = 3;

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final AtomicInteger toCome = new AtomicInteger(150);

	private final List<AtomicInteger> holders = IntStream.range(0, ELECTIONS)
		.mapToObj((i) -> new AtomicInteger())
		.toList();

	private final List<AtomicLong> tokens = IntStream.range(0, ELECTIONS).mapToObj((i) -> new AtomicLong()).toList();

	static Stream<Arguments> isolations() {
		return Stream.of(Database.values())
			.flatMap((database) -> Stream
				.of("TRANSACTION_READ_UNCOMMITTED", "TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE")
				.map((isolation) -> Arguments.of(database, isolation)));
	}

	@ParameterizedTest
	@MethodSource("isolations")
	void oneNodeHoldsALeaseAtATime(Database database, String isolation) throws Exception {
		TestDatabase server = database.server();
		String table = server.createTables();
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(server.url());
		config.setUsername(server.user());
		config.setPassword(server.password());
		config.setMaximumPoolSize(NODES);
		config.setTransactionIsolation(isolation);
		config.setAutoCommit(false);
		ExecutorService threads = Executors.newFixedThreadPool(NODES);
		try (HikariDataSource pool = new HikariDataSource(config)) {
			List<Callable<Boolean>> nodes = new ArrayList<>();
			for (int i = 0; i < NODES; i++) {
				Owner owner = new Owner("node-" + i, "run-" + i);
				LeaseStore store = JdbcLeaseStore.on(pool).tableName(table).build();
				nodes.add(() -> contend(store, owner));
			}
			for (Future<Boolean> outcome : threads.invokeAll(nodes)) {
				assertThat(outcome.get()).isTrue();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private boolean contend(LeaseStore store, Owner owner) {
		List<AcquireRequest> candidacies = IntStream.range(0, ELECTIONS)
			.mapToObj((i) -> new AcquireRequest("election-" + i, owner, LEASE, 0, true))
			.toList();
		try {
			while (this.toCome.get() > 0) {
				List<AcquireResult> answers = untilAnswered(() -> store.acquire(candidacies));
				List<Lease> won = new ArrayList<>();
				for (int i = 0; i < ELECTIONS; i++) {
					if (answers.get(i) instanceof Granted granted) {
						assertThat(this.holders.get(i).incrementAndGet()).as("holders").isEqualTo(1);
						assertThat(this.tokens.get(i).getAndSet(granted.token())).isLessThan(granted.token());
						won.add(new Lease("election-" + i, owner, granted.token(), LEASE));
					}
				}
				if (!won.isEmpty()) {
					List<RenewRequest> renewals = won.stream().map((lease) -> new RenewRequest(lease, false)).toList();
					assertThat(untilAnswered(() -> store.renew(renewals))).doesNotHaveAnyElementsOfTypes(Lost.class);
					won.forEach((lease) -> this.holders.get(number(lease)).decrementAndGet());
					untilAnswered(() -> {
						store.release(won);
						return true;
					});
					this.toCome.addAndGet(-won.size());
				}
			}
			return true;
		}
		finally {
			this.toCome.set(0);
		}
	}

	private static int number(Lease lease) {
		return Integer.parseInt(lease.election().substring("election-".length()));
	}

	private static <T> T untilAnswered(Callable<T> call) {
		for (int attempt = 0; attempt < 200; attempt++) {
			try {
				return call.call();
			}
			catch (LeaseStoreException ex) {
				assertThat(ex).isNotInstanceOf(UnusableDatabaseException.class);
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}
		throw new AssertionError("conflicts do not end");
	}

}
