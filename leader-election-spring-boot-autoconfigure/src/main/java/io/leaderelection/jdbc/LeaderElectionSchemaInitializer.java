package io.leaderelection.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.init.PropertiesBasedDataSourceScriptDatabaseInitializer;
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
		super(dataSource, properties);
		this.tableName = new LeaseTables(properties.getTableName()).lease();
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
