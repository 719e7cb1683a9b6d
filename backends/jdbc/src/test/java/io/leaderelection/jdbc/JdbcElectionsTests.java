package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.servers.Database;
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
		assertThat(first.operations().candidates().join()).containsExactly("second");
		first.operations().stepDown();
		await().until(second::isLeader);
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
