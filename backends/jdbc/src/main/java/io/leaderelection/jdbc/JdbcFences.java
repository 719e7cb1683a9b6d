package io.leaderelection.jdbc;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

import javax.sql.DataSource;

import io.leaderelection.FencingToken;
import io.leaderelection.jdbc.fence.DataSourceFences;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The fences of the application: one for each data source.
 */
final class JdbcFences implements DataSourceFences {

	private static final Log logger = LogFactory.getLog(JdbcFences.class);

	private final Function<DataSource, JdbcFence> factory;

	private final Map<DataSource, JdbcFence> fences = new ConcurrentHashMap<>();

	private final Map<DataSource, Optional<JdbcFence>> tried = new ConcurrentHashMap<>();

	JdbcFences(Function<DataSource, JdbcFence> factory) {
		this.factory = factory;
	}

	/** The fence of a data source, whether its database has the table or not. */
	JdbcFence of(DataSource dataSource) {
		return this.fences.computeIfAbsent(dataSource, this.factory);
	}

	/** Has the fence used from now on, come what may. */
	JdbcFence require(DataSource dataSource) {
		JdbcFence fence = of(dataSource);
		this.tried.put(dataSource, Optional.of(fence));
		return fence;
	}

	@Override
	public void announce(DataSource dataSource, String transactionManager, FencingToken token) {
		usable(dataSource, transactionManager, JdbcFence::validate).ifPresent((fence) -> fence.announce(token));
	}

	/** The thread has a transaction there, and with it perhaps the last connection. */
	@Override
	public void check(DataSource dataSource, String transactionManager, Collection<FencingToken> tokens) {
		usable(dataSource, transactionManager, JdbcFence::validateWithinTransaction)
			.ifPresent((fence) -> tokens.forEach(fence::check));
	}

	/**
	 * The fence of a database that has the table. If it has none, that is logged once.
	 */
	private Optional<JdbcFence> usable(DataSource dataSource, String transactionManager, Consumer<JdbcFence> trial) {
		Optional<JdbcFence> known = this.tried.get(dataSource);
		if (known != null) {
			return known;
		}
		try {
			trial.accept(of(dataSource));
		}
		catch (UnusableDatabaseException ex) {
			if (this.tried.putIfAbsent(dataSource, Optional.empty()) == null) {
				logger.warn("Transactions of '%s' are NOT fenced, so that a former leader's may be committed. %s"
					.formatted(transactionManager, ex.getMessage()));
			}
			return Optional.empty();
		}
		Optional<JdbcFence> usable = Optional.of(of(dataSource));
		this.tried.putIfAbsent(dataSource, usable);
		return usable;
	}

}
