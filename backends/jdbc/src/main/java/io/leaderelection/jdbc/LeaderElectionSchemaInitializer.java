package io.leaderelection.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;

import javax.sql.DataSource;

import io.leaderelection.jdbc.sql.DirectConnections;
import io.leaderelection.jdbc.sql.LeaseTables;

import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.util.StringUtils;

/**
 * Creates the tables, under the name that the properties give them. Define a bean of this
 * type to do it otherwise.
 */
class LeaderElectionSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	private final String tableName;

	public LeaderElectionSchemaInitializer(DataSource dataSource, JdbcLeaderElectionProperties properties) {
		this(dataSource, properties, properties.getSchema(), (database) -> true);
	}

	/** Runs another script, if a database that seems to be embedded is supported. */
	LeaderElectionSchemaInitializer(DataSource dataSource, JdbcLeaderElectionProperties properties, String schema,
			Predicate<DataSource> supported) {
		super(dataSource, settings(dataSource, properties, schema, supported));
		this.tableName = new LeaseTables(properties.getTableName()).lease();
	}

	/**
	 * Like Spring Boot's, except that a database that is not embedded is not asked for
	 * its platform when only embedded databases are initialized: it might not answer.
	 */
	private static DatabaseInitializationSettings settings(DataSource dataSource,
			JdbcLeaderElectionProperties properties, String schema, Predicate<DataSource> supported) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode(properties.getInitializeSchema());
		settings.setContinueOnError(properties.isContinueOnError());
		if (properties.getInitializeSchema() != DatabaseInitializationMode.EMBEDDED
				|| (!isElsewhere(dataSource) && supported.test(dataSource))) {
			PlatformPlaceholderDatabaseDriverResolver resolver = new PlatformPlaceholderDatabaseDriverResolver();
			settings.setSchemaLocations(StringUtils.hasText(properties.getPlatform())
					? resolver.resolveAll(properties.getPlatform(), schema) : resolver.resolveAll(dataSource, schema));
		}
		return settings;
	}

	private static boolean isElsewhere(DataSource dataSource) {
		String url = DirectConnections.besides(dataSource).url();
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
