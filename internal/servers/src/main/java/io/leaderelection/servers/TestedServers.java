package io.leaderelection.servers;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes which servers tests ran on to the reports of the tests, from which
 * {@code .ci/Tested.java} makes a list.
 */
public final class TestedServers {

	private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

	private TestedServers() {
	}

	/**
	 * Reports a server, once for each process of tests.
	 * @param product the name of the product
	 * @param version the version that runs
	 */
	public static void report(String product, String version) {
		String server = product + " " + version;
		if (REPORTED.add(server)) {
			System.out.println("Tested on " + server);
		}
	}

	static void report(Connection connection) throws SQLException {
		DatabaseMetaData database = connection.getMetaData();
		report(database.getDatabaseProductName(), database.getDatabaseProductVersion());
	}

}
