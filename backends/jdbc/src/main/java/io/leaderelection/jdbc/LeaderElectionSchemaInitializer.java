package io.leaderelection.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.jdbc.init.PropertiesBasedDataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/**
 * Creates the tables, under the name that the properties give them. Define a bean of this
 * type to do it otherwise.
 */
public class LeaderElectionSchemaInitializer
		extends PropertiesBasedDataSourceScriptDatabaseInitializer<JdbcLeaderElectionProperties> {

	private final String tableName;

	public LeaderElectionSchemaInitializer(DataSource dataSource, JdbcLeaderElectionProperties properties) {
		super(dataSource, withoutAsking(dataSource, properties));
		this.tableName = new LeaseTables(properties.getTableName()).lease();
	}

	/**
	 * Properties that let nothing be created, if it is known without asking the database
	 * that nothing would be: one that is not embedded might not answer.
	 */
	static JdbcLeaderElectionProperties withoutAsking(DataSource dataSource, JdbcLeaderElectionProperties properties) {
		if (properties.getInitializeSchema() != DatabaseInitializationMode.EMBEDDED || !isElsewhere(dataSource)) {
			return properties;
		}
		JdbcLeaderElectionProperties nothing = new JdbcLeaderElectionProperties();
		nothing.setTableName(properties.getTableName());
		nothing.setInitializeSchema(DatabaseInitializationMode.NEVER);
		// otherwise the database would be asked which script is not to be run
		nothing.setPlatform(JdbcDialect.H2.platform());
		return nothing;
	}

	private static boolean isElsewhere(DataSource dataSource) {
		String url = OwnConnections.besides(dataSource).url();
		return url != null
				&& !EmbeddedDatabaseConnection.isEmbedded(DatabaseDriver.fromJdbcUrl(url).getDriverClassName(), url);
	}

	/**
	 * The scripts have the default name, so that they can be copied and run as they are.
	 */
	@Override
	protected void runScripts(Scripts scripts) {
		Charset encoding = (scripts.getEncoding() != null) ? scripts.getEncoding() : StandardCharsets.UTF_8;
		List<Resource> renamed = new ArrayList<>();
		for (Resource script : scripts) {
			renamed.add(rename(script, encoding));
		}
		super.runScripts(new Scripts(renamed).continueOnError(scripts.isContinueOnError())
			.separator(scripts.getSeparator())
			.encoding(encoding));
	}

	private Resource rename(Resource script, Charset encoding) {
		try {
			String text = script.getContentAsString(encoding)
				.replaceAll("\\b" + LeaseTables.DEFAULT + "(?=\\b|_EPOCH\\b|_CANDIDATE\\b)",
						Matcher.quoteReplacement(this.tableName));
			return new ByteArrayResource(text.getBytes(encoding), script.getDescription());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Could not read " + script.getDescription(), ex);
		}
	}

}
