package io.leaderelection.engine.runtime;

import io.leaderelection.engine.Callbacks;
import io.leaderelection.engine.EngineLog;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Supplier;

import io.leaderelection.FencingToken;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;

/**
 * Writes to a logger, in order and on a thread for callbacks: a logger that blocks, or
 * waits for a lock whose owner calls the engine, does not block the engine. One line per
 * transition, one when the store begins to fail and one when it has recovered.
 */
final class SystemEngineLog implements EngineLog {

	private final Logger logger;

	private final String nodeId;

	private final Callbacks.Queue queue;

	SystemEngineLog(Logger logger, String nodeId, Callbacks.Queue queue) {
		this.logger = logger;
		this.nodeId = nodeId;
		this.queue = queue;
	}

	@Override
	public void gained(Gained event) {
		log(Level.INFO, () -> "'%s' leads '%s' with token %d".formatted(event.nodeId(), event.election(),
				event.token().value()));
	}

	@Override
	public void lost(Lost event) {
		Level level = event.reason().isVoluntary() ? Level.INFO : Level.WARNING;
		log(level, () -> "'%s' no longer leads '%s' with token %d: %s".formatted(event.nodeId(), event.election(),
				event.token().value(), event.reason()));
	}

	@Override
	public void drainTimedOut(FencingToken token, String nodeId, int inFlight, List<String> threads) {
		log(Level.WARNING,
				() -> "'%s' no longer renews its lease of '%s' with token %d: %d guarded calls exceeded the drain timeout %s"
					.formatted(nodeId, token.election(), token.value(), inFlight, threads));
	}

	@Override
	public void tokenRejected(FencingToken token, FencingToken highest, boolean reachable) {
		String remedy = reachable ? "'%s' acquires the lease again with a higher token".formatted(this.nodeId)
				: "No leadership can exceed that number: every fenced write fails until it is removed from the fence";
		log(Level.ERROR,
				() -> ("A fence rejected token %d of '%s', since it has seen %d, although '%s' holds the lease. Tokens "
						+ "of another store or application have reached the fence. %s")
					.formatted(token.value(), token.election(), highest.value(), this.nodeId, remedy));
	}

	@Override
	public void storeFailed(String error, Throwable failure) {
		submit(() -> this.logger.log(Level.WARNING,
				() -> "%s. Node '%s' repeats the call".formatted(error, this.nodeId), failure));
	}

	@Override
	public void takeoverBlocked(String error) {
		log(Level.WARNING, () -> "%s. Node '%s' repeats the call".formatted(error, this.nodeId));
	}

	@Override
	public void takeoverUnblocked(String election) {
		log(Level.INFO, () -> "The takeover of '%s' is no longer blocked".formatted(election));
	}

	@Override
	public void storeRecovered(int failures) {
		log(Level.INFO,
				() -> "The lease store serves node '%s' again after %d failed calls".formatted(this.nodeId, failures));
	}

	@Override
	public void duplicateNodeId(String election) {
		log(Level.WARNING,
				() -> ("Another process with the node id '%s' holds the lease of '%s' and keeps "
						+ "renewing it. Give each process a node id of its own (leader-election.node-id)")
					.formatted(this.nodeId, election));
	}

	private void log(Level level, Supplier<String> line) {
		submit(() -> this.logger.log(level, line));
	}

	private void submit(Runnable line) {
		this.queue.submit(line, () -> {
		});
	}

}
