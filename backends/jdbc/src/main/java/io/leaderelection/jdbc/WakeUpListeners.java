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
final class WakeUpListeners {

	/** The names of elections have no control characters, so this is none. */
	static final String ECHO = "\u0001";

	private static final Log logger = LogFactory.getLog(WakeUpListeners.class);

	private final List<WakeUps> listeners = new CopyOnWriteArrayList<>();

	void add(WakeUps listener) {
		this.listeners.add(listener);
	}

	void remove(WakeUps listener) {
		this.listeners.remove(listener);
	}

	boolean isEmpty() {
		return this.listeners.isEmpty();
	}

	/** Passes on what PostgreSQL sent, other than the echo of a node to itself. */
	void wakeUp(PGNotification[] notifications) {
		for (PGNotification notification : notifications) {
			if (!notification.getParameter().startsWith(ECHO)) {
				forEach((listener) -> listener.wakeUp(notification.getParameter()));
			}
		}
	}

	void wakeUp(String election) {
		forEach((listener) -> listener.wakeUp(election));
	}

	void wakeUpAll() {
		forEach(WakeUps::wakeUpAll);
	}

	void leasesLost() {
		forEach(WakeUps::leasesLost);
	}

	private void forEach(Consumer<WakeUps> what) {
		for (WakeUps listener : this.listeners) {
			try {
				what.accept(listener);
			}
			catch (RuntimeException ex) {
				logger.error("A wake-up was not taken", ex);
			}
		}
	}

}
