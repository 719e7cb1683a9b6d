package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.sql.DataSource;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;

/**
 * Checks at startup whether databases can be used. If a database answers, its answer
 * decides whether the application starts. If it does not answer within its connection
 * timeout, the check logs a warning and the application starts. A database that has not
 * answered is not asked again.
 */
final class StartupCheck {

	private static final Log logger = LogFactory.getLog(StartupCheck.class);

	/** The property of HikariCP, in milliseconds. */
	private static final String CONNECTION_TIMEOUT = "connectionTimeout";

	/** The default of HikariCP, also for pools with another property. */
	private static final Duration DEFAULT_CONNECTION_TIMEOUT = Duration.ofSeconds(30);

	private final Set<DataSource> unanswered = Collections.newSetFromMap(new IdentityHashMap<>());

	/**
	 * Checks a database.
	 * @param dataSource the database
	 * @param subject what is checked
	 * @param validation accesses the database
	 * @return whether the database has answered
	 * @throws UnusableDatabaseException if the database has answered that it cannot be
	 * used
	 */
	synchronized boolean run(DataSource dataSource, String subject, Runnable validation) {
		if (this.unanswered.contains(dataSource)) {
			logger.warn("%s could not be checked: the database has not answered before".formatted(subject));
			return false;
		}
		try {
			await(validation, dataSource);
			return true;
		}
		catch (UnusableDatabaseException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// it may be down and start later, or there may be one for each tenant
			this.unanswered.add(dataSource);
			logger.warn("%s could not be checked: %s. No node leads until the database can be used".formatted(subject,
					ex.getMessage()));
			return false;
		}
	}

	/**
	 * On a thread of its own: a driver may try several times to connect, each for as long
	 * as the timeout of the pool.
	 */
	private static void await(Runnable validation, DataSource dataSource) {
		Duration timeout = connectionTimeout(dataSource);
		FutureTask<Boolean> check = new FutureTask<>(validation, true);
		Thread thread = new Thread(check, "leader-election-startup-check");
		thread.setDaemon(true);
		thread.start();
		try {
			check.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw new IllegalStateException(ex.getCause());
		}
		catch (TimeoutException ex) {
			throw new IllegalStateException("there was no answer within the connection timeout (%s)".formatted(timeout),
					ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted while waiting for the database", ex);
		}
	}

	private static Duration connectionTimeout(DataSource dataSource) {
		BeanWrapper pool = PropertyAccessorFactory.forBeanPropertyAccess(dataSource);
		boolean known = pool.isReadableProperty(CONNECTION_TIMEOUT);
		return (known && pool.getPropertyValue(CONNECTION_TIMEOUT) instanceof Long millis) ? Duration.ofMillis(millis)
				: DEFAULT_CONNECTION_TIMEOUT;
	}

}
