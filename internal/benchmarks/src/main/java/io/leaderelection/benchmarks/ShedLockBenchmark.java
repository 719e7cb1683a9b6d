package io.leaderelection.benchmarks;

import java.io.IOException;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import redis.embedded.RedisServer;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * What a peer adds to a call: a lock in the store, taken and given back each time. Beside
 * {@link LeaderOnlyBenchmark}, for the ratio.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class ShedLockBenchmark {

	@Benchmark
	public int redis(Redis redis) {
		return redis.guarded.call();
	}

	@Benchmark
	public int postgres(Postgres postgres) {
		return postgres.guarded.call();
	}

	/**
	 * Counts its calls, each under a lock.
	 */
	private static final class Guarded {

		private final LockingTaskExecutor executor;

		private int calls;

		private Guarded(LockProvider provider) {
			this.executor = new DefaultLockingTaskExecutor(provider);
		}

		private int call() {
			int before = this.calls;
			this.executor.executeWithLock((Runnable) () -> this.calls++,
					new LockConfiguration(Instant.now(), "benchmark", Duration.ofSeconds(10), Duration.ZERO));
			if (this.calls != before + 1) {
				throw new IllegalStateException("The lock was not to be had");
			}
			return this.calls;
		}

	}

	/**
	 * A local Redis.
	 */
	@State(Scope.Benchmark)
	public static class Redis {

		private RedisServer server;

		private LettuceConnectionFactory connections;

		private Guarded guarded;

		@Setup(Level.Trial)
		public void start() throws IOException {
			int port;
			try (ServerSocket free = new ServerSocket(0)) {
				port = free.getLocalPort();
			}
			this.server = RedisServer.builder().port(port).setting("save \"\"").build();
			this.server.start();
			this.connections = new LettuceConnectionFactory("localhost", port);
			this.connections.afterPropertiesSet();
			this.connections.start();
			this.guarded = new Guarded(new RedisLockProvider(this.connections));
		}

		@TearDown(Level.Trial)
		public void stop() throws IOException {
			this.connections.destroy();
			this.server.stop();
		}

	}

	/**
	 * A local PostgreSQL, with one connection that is kept.
	 */
	@State(Scope.Benchmark)
	public static class Postgres {

		private EmbeddedPostgres server;

		private SingleConnectionDataSource connection;

		private Guarded guarded;

		@Setup(Level.Trial)
		public void start() throws IOException, SQLException {
			this.server = EmbeddedPostgres.start();
			this.connection = new SingleConnectionDataSource(this.server.getPostgresDatabase().getConnection(), true);
			createTable(this.connection);
			this.guarded = new Guarded(new JdbcTemplateLockProvider(this.connection));
		}

		private static void createTable(DataSource dataSource) throws SQLException {
			try (Connection connection = dataSource.getConnection();
					Statement statement = connection.createStatement()) {
				statement.execute("CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP, "
						+ "locked_at TIMESTAMP, locked_by VARCHAR(255))");
			}
		}

		@TearDown(Level.Trial)
		public void stop() throws IOException {
			this.connection.destroy();
			this.server.close();
		}

	}

}
