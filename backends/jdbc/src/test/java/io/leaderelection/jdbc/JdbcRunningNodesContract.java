package io.leaderelection.jdbc;

import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.nodes.RunningNodesContract;
import io.leaderelection.servers.Database;
import io.leaderelection.servers.TestDatabase;
import io.leaderelection.store.LeaseStore;
import org.junit.jupiter.api.AfterEach;

/**
 * Whole nodes on a database.
 */
abstract class JdbcRunningNodesContract extends RunningNodesContract {

	private final TestDatabase server;

	private final JdbcMode mode;

	private final String table;

	private final List<HikariDataSource> pools = new ArrayList<>();

	JdbcRunningNodesContract(Database database) {
		this(database, JdbcMode.LEASE);
	}

	JdbcRunningNodesContract(Database database, JdbcMode mode) {
		this.server = database.server();
		this.mode = mode;
		this.table = this.server.createTables();
	}

	@AfterEach
	void closePools() {
		this.pools.forEach(HikariDataSource::close);
	}

	@Override
	protected LeaseStore newStore() {
		HikariDataSource pool = this.server.pool(2);
		this.pools.add(pool);
		return JdbcLeaseStore.on(pool).tableName(this.table).mode(this.mode).build();
	}

	@Override
	protected void deleteAll() {
		for (String suffix : List.of("_CANDIDATE", "_EPOCH", "")) {
			this.server.execute("DELETE FROM " + this.table + suffix);
		}
	}

}
