package io.leaderelection.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;

/**
 * Writes to the platform's logger: one line per transition, one when trouble with the
 * store begins and one when it ends.
 */
final class SystemEngineLog implements EngineLog {

	private static final Logger logger = System.getLogger("io.leaderelection");

	private final String nodeId;

	SystemEngineLog(String nodeId) {
		this.nodeId = nodeId;
	}

	@Override
	public void gained(Gained event) {
		logger.log(Level.INFO, () -> "'%s' leads '%s' with token %d".formatted(event.nodeId(), event.election(),
				event.token().value()));
	}

	@Override
	public void lost(Lost event) {
		logger.log(Level.INFO, () -> "'%s' no longer leads '%s' with token %d: %s".formatted(event.nodeId(),
				event.election(), event.token().value(), event.reason()));
	}

	@Override
	public void troubleBegan(Throwable failure) {
		logger.log(Level.WARNING, () -> "The lease store does not answer '%s'".formatted(this.nodeId), failure);
	}

	@Override
	public void troubleEnded(int failures) {
		logger.log(Level.WARNING,
				() -> "The lease store answers '%s' again after %d failed calls".formatted(this.nodeId, failures));
	}

	void listenerFailed(Throwable failure) {
		logger.log(Level.ERROR, () -> "A leadership listener of '%s' failed".formatted(this.nodeId), failure);
	}

}
