package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.store.LeaseStore;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Running elections on a database.
 */
class JdbcElectionsTests {

	private final List<LeaderElections> nodes = new ArrayList<>();

	private final List<HikariDataSource> pools = new ArrayList<>();

	@AfterEach
	void stop() {
		this.nodes.forEach(LeaderElections::close);
		this.pools.forEach(HikariDataSource::close);
	}

	@ParameterizedTest
	@EnumSource
	void aPoolOfOneConnectionIsEnough(Database database) {
		String table = database.server().createTables();
		LeaderElector first = start(node(database, table, "first", 1, Duration.ofSeconds(5)));
		await().until(first::isLeader);
		LeaderElector second = start(node(database, table, "second", 1, Duration.ofSeconds(5)));
		await().until(() -> second.getCurrentLeader().isPresent());
		assertThat(first.candidates().join()).containsExactly("second");
		first.stepDown();
		await().until(second::isLeader);
	}

	@ParameterizedTest
	@EnumSource
	void aNodeAloneLeadsAllItsElections(Database database) {
		LeaderElections node = node(database, database.server().createTables(), "only", 1, Duration.ofSeconds(5));
		List<LeaderElector> electors = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			electors.add(node.elector("election-" + i));
		}
		node.start();
		await().until(() -> electors.stream().allMatch(LeaderElector::isLeader));
	}

	@ParameterizedTest
	@EnumSource
	void deletedRowsMakeNoTwoLeaders(Database database) {
		TestDatabase server = database.server();
		String table = server.createTables();
		Duration lease = Duration.ofMillis(600);
		LeaderElector first = start(node(database, table, "first", 2, lease));
		LeaderElector second = start(node(database, table, "second", 2, lease));
		AtomicBoolean over = new AtomicBoolean();
		AtomicReference<String> overlap = new AtomicReference<>();
		Thread referee = new Thread(() -> {
			while (!over.get()) {
				seeBoth(first, second).ifPresent(overlap::set);
			}
		});
		referee.start();
		try {
			long highest = 0;
			for (int i = 0; i < 4; i++) {
				await().until(() -> first.isLeader() || second.isLeader());
				long token = await().until(() -> token(first, second), Optional::isPresent).orElseThrow();
				assertThat(token).isGreaterThanOrEqualTo(highest);
				highest = token;
				for (String suffix : List.of("_CANDIDATE", "_EPOCH", "")) {
					server.execute("DELETE FROM " + table + suffix);
				}
				LeaseStore observer = store(database, table, 1);
				await().until(() -> observer.read("reports").isPresent());
			}
		}
		finally {
			over.set(true);
			await().until(() -> !referee.isAlive());
		}
		assertThat(overlap.get()).isNull();
	}

	/** Two leaders at one instant: the first led before and after the second was seen. */
	private static Optional<String> seeBoth(LeaderElector first, LeaderElector second) {
		Optional<Leadership> before = first.leadership();
		Optional<Leadership> between = second.leadership();
		if (before.isPresent() && between.isPresent() && before.get().isCurrent()) {
			return Optional.of(before.get().token() + " and " + between.get().token());
		}
		return Optional.empty();
	}

	private static Optional<Long> token(LeaderElector first, LeaderElector second) {
		return first.fencingToken().or(second::fencingToken).map((token) -> token.value());
	}

	private LeaderElections node(Database database, String table, String id, int poolSize, Duration lease) {
		LeaderElections node = LeaderElections.on(store(database, table, poolSize))
			.nodeId(id)
			.settings(ElectionSettings.ofLease(lease))
			.build();
		this.nodes.add(node);
		return node;
	}

	private LeaseStore store(Database database, String table, int poolSize) {
		HikariDataSource pool = database.server().pool(poolSize);
		this.pools.add(pool);
		return JdbcLeaseStore.on(pool).tableName(table).build();
	}

	private static LeaderElector start(LeaderElections node) {
		LeaderElector elector = node.elector("reports");
		node.start();
		return elector;
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(5)).atMost(Duration.ofSeconds(20));
	}

}
