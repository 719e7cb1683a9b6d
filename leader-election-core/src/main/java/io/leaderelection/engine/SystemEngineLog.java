package io.leaderelection.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;

/**
 * Writes to a logger: one line per transition, one when trouble with the store begins and
 * one when it ends.
 */
final class SystemEngineLog implements EngineLog {

	private final Logger logger;

	private final Level transitions;

	private final String nodeId;

	/**
	 * The log of a node.
	 * @param logger where to
	 * @param transitions the level of transitions
	 * @param nodeId the node's id
	 */
	SystemEngineLog(Logger logger, Level transitions, String nodeId) {
		this.logger = logger;
		this.transitions = transitions;
		this.nodeId = nodeId;
	}

	@Override
	public void gained(Gained event) {
		this.logger.log(this.transitions, () -> "'%s' leads '%s' with token %d".formatted(event.nodeId(),
				event.election(), event.token().value()));
	}

	@Override
	public void lost(Lost event) {
		this.logger.log(this.transitions, () -> "'%s' no longer leads '%s' with token %d: %s".formatted(event.nodeId(),
				event.election(), event.token().value(), event.reason()));
	}

	@Override
	public void troubleBegan(Throwable failure) {
		this.logger.log(Level.WARNING, () -> "The lease store does not answer '%s'".formatted(this.nodeId), failure);
	}

	@Override
	public void troubleEnded(int failures) {
		this.logger.log(Level.WARNING,
				() -> "The lease store answers '%s' again after %d failed calls".formatted(this.nodeId, failures));
	}

	@Override
	public void rehearsalFailed(Throwable failure) {
		this.logger.log(Level.DEBUG,
				() -> "The lease store could not rehearse a hand-over of '%s'".formatted(this.nodeId), failure);
	}

	void listenerFailed(Throwable failure) {
		this.logger.log(Level.ERROR, () -> "A leadership listener of '%s' failed".formatted(this.nodeId), failure);
	}

}
