package io.leaderelection.jdbc.sql;

import java.util.Properties;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.UnsupportedDataSourcePropertyException;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/**
 * Where connections come from that are kept. Not from the pool: they would be missing
 * there for good, and the pool would close them when they are old. Internal.
 *
 * @param dataSource the source, if there is one
 * @param whyNot why there is none
 */
public record DirectConnections(@Nullable DataSource dataSource, String whyNot) {

	private static final String LOGIN_TIMEOUT_SECONDS = "5";

	public static DirectConnections of(DataSource dataSource) {
		return new DirectConnections(dataSource, "");
	}

	public static DirectConnections none(String whyNot) {
		return new DirectConnections(null, whyNot);
	}

	/** Connections to the same database as the same user, without the pool. */
	public static DirectConnections besides(DataSource pool) {
		try {
			SimpleDriverDataSource unpooled = DataSourceBuilder.derivedFrom(pool)
				.type(SimpleDriverDataSource.class)
				.build();
			if (unpooled.getUrl() != null && unpooled.getDriver() != null) {
				// unlike a pool, a driver waits for a login for ever; the URL has
				// precedence
				Properties defaults = new Properties();
				defaults.setProperty("loginTimeout", LOGIN_TIMEOUT_SECONDS);
				unpooled.setConnectionProperties(defaults);
				return of(unpooled);
			}
			return none("the DataSource (%s) has no URL".formatted(pool.getClass().getName()));
		}
		catch (UnsupportedDataSourcePropertyException ex) {
			return none("the URL of the DataSource (%s) cannot be found out: %s".formatted(pool.getClass().getName(),
					ex.getMessage()));
		}
	}

	/** Where they lead, if that is known without opening one. */
	public @Nullable String url() {
		return (this.dataSource instanceof AbstractDriverBasedDataSource source) ? source.getUrl() : null;
	}

}
