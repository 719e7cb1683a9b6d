package io.leaderelection.jdbc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.leaderelection.store.WakeUps;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.postgresql.PGNotification;

/**
 * Those who take hints, and are told of lost leases. What they throw ends nothing.
 */
final class WakeUpTakers {

	/** The names of elections have no control characters, so this is none. */
	static final String ECHO = "\u0001";

	private static final Log logger = LogFactory.getLog(WakeUpTakers.class);

	private final List<WakeUps> takers = new CopyOnWriteArrayList<>();

	void add(WakeUps taker) {
		this.takers.add(taker);
	}

	void remove(WakeUps taker) {
		this.takers.remove(taker);
	}

	boolean isEmpty() {
		return this.takers.isEmpty();
	}

	/** Passes on what PostgreSQL sent, other than the echo of a node to itself. */
	void wakeUp(PGNotification[] notifications) {
		for (PGNotification notification : notifications) {
			if (!notification.getParameter().startsWith(ECHO)) {
				tell((taker) -> taker.wakeUp(notification.getParameter()));
			}
		}
	}

	void wakeUp(String election) {
		tell((taker) -> taker.wakeUp(election));
	}

	void wakeUpAll() {
		tell(WakeUps::wakeUpAll);
	}

	void leasesLost() {
		tell(WakeUps::leasesLost);
	}

	private void tell(Consumer<WakeUps> what) {
		for (WakeUps taker : this.takers) {
			try {
				what.accept(taker);
			}
			catch (RuntimeException ex) {
				logger.error("A wake-up was not taken", ex);
			}
		}
	}

}
