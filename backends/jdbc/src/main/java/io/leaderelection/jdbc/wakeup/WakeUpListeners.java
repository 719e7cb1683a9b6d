package io.leaderelection.jdbc.wakeup;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.leaderelection.store.WakeUps;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.postgresql.PGNotification;

/**
 * The listeners of a watch. An exception that one of them throws is logged, and does not
 * keep the others from being called. Internal.
 */
public final class WakeUpListeners {

	/** The names of elections have no control characters, so this is none. */
	static final String ECHO = "\u0001";

	private static final Log logger = LogFactory.getLog(WakeUpListeners.class);

	private final List<WakeUps> listeners = new CopyOnWriteArrayList<>();

	public void add(WakeUps listener) {
		this.listeners.add(listener);
	}

	public void remove(WakeUps listener) {
		this.listeners.remove(listener);
	}

	public boolean isEmpty() {
		return this.listeners.isEmpty();
	}

	/** Passes on what PostgreSQL sent, other than the echo of a node to itself. */
	public void wakeUp(PGNotification[] notifications) {
		for (PGNotification notification : notifications) {
			if (!notification.getParameter().startsWith(ECHO)) {
				forEach((listener) -> listener.wakeUp(notification.getParameter()));
			}
		}
	}

	public void forEach(Consumer<WakeUps> call) {
		for (WakeUps listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (RuntimeException ex) {
				logger.error("A wake-up was not taken", ex);
			}
		}
	}

}
