package io.leaderelection.jdbc;

import java.sql.DatabaseMetaData;

import javax.sql.DataSource;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/**
 * Creates the table of the fence alone, for an application whose elections live
 * elsewhere.
 */
class FenceSchemaInitializer extends LeaderElectionSchemaInitializer {

	static final String LOCATION = "classpath:io/leaderelection/jdbc/schemas/v1/fence-@@platform@@.sql";

	private static final Log logger = LogFactory.getLog(FenceSchemaInitializer.class);

	FenceSchemaInitializer(DataSource dataSource, JdbcLeaderElectionProperties properties) {
		super(dataSource, fenceOnly(dataSource, properties));
	}

	private static JdbcLeaderElectionProperties fenceOnly(DataSource dataSource, JdbcLeaderElectionProperties given) {
		JdbcLeaderElectionProperties properties = withoutAsking(dataSource, given);
		JdbcLeaderElectionProperties fence = new JdbcLeaderElectionProperties();
		fence.setTableName(properties.getTableName());
		fence.setSchema(LOCATION);
		fence.setInitializeSchema(properties.getInitializeSchema());
		fence.setContinueOnError(properties.isContinueOnError());
		if (properties.getPlatform() != null) {
			fence.setPlatform(properties.getPlatform());
		}
		if (properties.getInitializeSchema() == DatabaseInitializationMode.EMBEDDED
				&& !isKnownAndEmbedded(dataSource)) {
			// the start must not fail for want of a script that would not be run
			fence.setInitializeSchema(DatabaseInitializationMode.NEVER);
			fence.setPlatform(JdbcDialect.H2.platform());
		}
		return fence;
	}

	private static boolean isKnownAndEmbedded(DataSource dataSource) {
		try {
			String product = JdbcUtils.extractDatabaseMetaData(dataSource, DatabaseMetaData::getDatabaseProductName);
			return JdbcDialect.ofProduct(product).isPresent() && EmbeddedDatabaseConnection.isEmbedded(dataSource);
		}
		catch (MetaDataAccessException ex) {
			logger.debug("The database does not say what it is", ex);
			return false;
		}
	}

}
