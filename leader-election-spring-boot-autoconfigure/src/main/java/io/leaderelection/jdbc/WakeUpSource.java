package io.leaderelection.jdbc;

import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.WakeUps;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.UnsupportedDataSourcePropertyException;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.util.ClassUtils;

/**
 * Where the connection comes from that PostgreSQL sends its notifications to. Not from
 * the pool: it would be missing there for good, and the pool would close it when it is
 * old.
 */
final class WakeUpSource {

	private static final Log logger = LogFactory.getLog(WakeUpSource.class);

	private static final String WITHOUT = "There are no wake-ups, so a free lease is noticed later: ";

	private static final String LOGIN_TIMEOUT_SECONDS = "5";

	private static final boolean DRIVER_PRESENT = ClassUtils.isPresent("org.postgresql.PGConnection",
			WakeUpSource.class.getClassLoader());

	private final @Nullable DataSource dataSource;

	private final String whyNot;

	private final AtomicBoolean useless = new AtomicBoolean();

	private WakeUpSource(@Nullable DataSource dataSource, String whyNot) {
		this.dataSource = dataSource;
		this.whyNot = whyNot;
	}

	static WakeUpSource of(DataSource dataSource) {
		return new WakeUpSource(dataSource, "");
	}

	static WakeUpSource none() {
		return new WakeUpSource(null, "they are switched off");
	}

	/**
	 * Connections to the same database as the same user, without the pool.
	 */
	static WakeUpSource besides(DataSource pool) {
		try {
			SimpleDriverDataSource unpooled = DataSourceBuilder.derivedFrom(pool)
				.type(SimpleDriverDataSource.class)
				.build();
			if (unpooled.getUrl() != null && unpooled.getDriver() != null) {
				unpooled.setConnectionProperties(patience());
				return of(unpooled);
			}
			return new WakeUpSource(null, "the DataSource (%s) has no URL".formatted(pool.getClass().getName()));
		}
		catch (UnsupportedDataSourcePropertyException ex) {
			return new WakeUpSource(null, "the URL of the DataSource (%s) cannot be found out: %s"
				.formatted(pool.getClass().getName(), ex.getMessage()));
		}
	}

	/**
	 * A pool gives up a login that is never answered; the driver alone does not, unless
	 * it is told to. What the URL says goes first.
	 */
	private static Properties patience() {
		Properties properties = new Properties();
		properties.setProperty("loginTimeout", LOGIN_TIMEOUT_SECONDS);
		return properties;
	}

	/**
	 * Begins to listen. Finding out that notifications do not arrive takes a while, in
	 * which the engine may lose its patience and ask again: it need not be found out
	 * twice.
	 */
	Optional<Watch> watch(String channel, WakeUps wakeUps, PostgresWakeUps.Sender sender) throws SQLException {
		if (this.useless.get()) {
			return Optional.empty();
		}
		if (this.dataSource == null || !DRIVER_PRESENT) {
			logger.info(WITHOUT + (DRIVER_PRESENT ? this.whyNot : "the driver is not org.postgresql:postgresql"));
			return Optional.empty();
		}
		return PostgresWakeUps.open(this.dataSource, channel, wakeUps, sender, this::giveUp);
	}

	private void giveUp(@Nullable String why) {
		if (!this.useless.getAndSet(true)) {
			logger.warn(WITHOUT + why + ". Give the leader election a direct connection for them with a "
					+ "JdbcLeaseStoreBuilderCustomizer (wakeUpsFrom), or do without: "
					+ "leader-election.jdbc.wake-ups=false");
		}
	}

}
