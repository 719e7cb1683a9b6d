package io.leaderelection.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/**
 * Writes the servers that tests ran on to the file that the system property
 * {@code tested-servers} names. {@code .ci/Tested.java} makes a list of them.
 */
public final class TestedServers {

	private static final String FILE = System.getProperty("tested-servers");

	private TestedServers() {
	}

	/**
	 * Reports a server.
	 * @param product the name of the product
	 * @param version the version that runs
	 */
	public static void report(String product, String version) {
		if (FILE == null) {
			return;
		}
		try {
			Files.writeString(Path.of(FILE), product + " " + version + "\n", StandardOpenOption.CREATE,
					StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static void report(Connection connection) throws SQLException {
		DatabaseMetaData database = connection.getMetaData();
		report(database.getDatabaseProductName(), database.getDatabaseProductVersion());
	}

}
