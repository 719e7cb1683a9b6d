package io.leaderelection.jdbc;

/**
 * The databases that tests run on. Each is started when it is first asked for.
 */
enum Database {

	POSTGRESQL {
		@Override
		TestDatabase server() {
			return PostgresServer.shared();
		}
	},

	MARIADB {
		@Override
		TestDatabase server() {
			return MariaDbServer.shared();
		}
	},

	H2 {
		@Override
		TestDatabase server() {
			return H2Memory.SHARED;
		}
	};

	abstract TestDatabase server();

}
