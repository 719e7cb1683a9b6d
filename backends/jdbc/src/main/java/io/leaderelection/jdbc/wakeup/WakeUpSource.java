package io.leaderelection.jdbc.wakeup;

import java.sql.SQLException;
import java.util.function.BiConsumer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import io.leaderelection.jdbc.sql.DirectConnections;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.WakeUps;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Provides the connection that receives PostgreSQL's notifications. Internal.
 */
public final class WakeUpSource {

	private static final Log logger = LogFactory.getLog(WakeUpSource.class);

	private static final String WITHOUT = "There are no wake-ups, so a free lease is noticed later: ";

	public static final String DRIVER = "org.postgresql.PGConnection";

	public static final boolean DRIVER_PRESENT = ClassUtils.isPresent(DRIVER, WakeUpSource.class.getClassLoader());

	private final DirectConnections connections;

	private final AtomicBoolean useless = new AtomicBoolean();

	public WakeUpSource(DirectConnections connections) {
		this.connections = connections;
	}

	/**
	 * Begins to listen. Finding out that notifications do not arrive takes a while, in
	 * which the engine may lose its patience and ask again: it need not be found out
	 * twice.
	 * @param sender sends a payload to a channel, on another connection
	 */
	public Optional<Watch> watch(String channel, WakeUps wakeUps, BiConsumer<String, String> sender)
			throws SQLException {
		if (this.useless.get()) {
			return Optional.empty();
		}
		DataSource dataSource = this.connections.dataSource();
		if (dataSource == null || !DRIVER_PRESENT) {
			logger.info(WITHOUT
					+ (DRIVER_PRESENT ? this.connections.whyNot() : "the driver is not org.postgresql:postgresql"));
			return Optional.empty();
		}
		return PostgresWakeUps.open(dataSource, channel, wakeUps, sender, this::giveUp);
	}

	private void giveUp(@Nullable String why) {
		if (!this.useless.getAndSet(true)) {
			logger.warn(WITHOUT + why + ". Give the leader election a direct connection for them with a "
					+ "JdbcLeaseStoreBuilderCustomizer (wakeUpsFrom), or do without: "
					+ "leader-election.jdbc.wake-ups=false");
		}
	}

}
