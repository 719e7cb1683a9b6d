package io.leaderelection.benchmarks.peers.store;

import java.util.List;

/**
 * What elections are decided by.
 */
public enum StoreKind {

	/** Redis. */
	REDIS {

		@Override
		public StoreServer start() throws Exception {
			return new RedisStoreServer();
		}

		@Override
		public List<String> properties(int port) {
			return List.of("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port);
		}

	},

	/** PostgreSQL. */
	POSTGRESQL {

		@Override
		public StoreServer start() throws Exception {
			return new PostgresStoreServer();
		}

		@Override
		public List<String> properties(int port) {
			return List.of("spring.datasource.url=jdbc:postgresql://127.0.0.1:%d/postgres".formatted(port),
					"spring.datasource.username=postgres", "spring.datasource.password=postgres");
		}

	},

	/** ZooKeeper. */
	ZOOKEEPER {

		@Override
		public StoreServer start() throws Exception {
			return new ZooKeeperStoreServer();
		}

		@Override
		public List<String> properties(int port) {
			return List.of();
		}

	},

	/** fabric8's stand-in for the API server of Kubernetes. */
	KUBERNETES {

		@Override
		public StoreServer start() {
			return new KubernetesStoreServer();
		}

		@Override
		public List<String> properties(int port) {
			return List.of();
		}

	};

	/**
	 * Starts a server.
	 * @return the server
	 * @throws Exception if it does not start
	 */
	public abstract StoreServer start() throws Exception;

	/**
	 * How an application of Spring Boot finds it, elections or not.
	 * @param port where it is
	 * @return properties as {@code name=value}
	 */
	public abstract List<String> properties(int port);

}
