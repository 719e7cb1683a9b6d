package io.leaderelection.servers;

/**
 * The databases that tests run on. Each is started when it is first asked for.
 */
public enum Database {

	POSTGRESQL {
		@Override
		public TestDatabase server() {
			return PostgresServer.shared();
		}
	},

	MARIADB {
		@Override
		public TestDatabase server() {
			return MariaDbServer.shared();
		}
	},

	H2 {
		@Override
		public TestDatabase server() {
			return H2Memory.SHARED;
		}
	};

	public abstract TestDatabase server();

}
