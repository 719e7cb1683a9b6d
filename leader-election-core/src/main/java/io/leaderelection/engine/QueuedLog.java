package io.leaderelection.engine;

import java.util.List;

import io.leaderelection.FencingToken;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;

/**
 * Hands over to another log, in order and elsewhere: one that blocks, or waits for a lock
 * whose owner asks the engine, must not hold the engine up.
 */
final class QueuedLog implements EngineLog {

	private final EngineLog log;

	private final Callbacks.Queue queue;

	QueuedLog(EngineLog log, Callbacks.Queue queue) {
		this.log = log;
		this.queue = queue;
	}

	@Override
	public void gained(Gained event) {
		submit(() -> this.log.gained(event));
	}

	@Override
	public void lost(Lost event) {
		submit(() -> this.log.lost(event));
	}

	@Override
	public void drainTimedOut(FencingToken token, String nodeId, int inFlight, List<String> threads) {
		submit(() -> this.log.drainTimedOut(token, nodeId, inFlight, threads));
	}

	@Override
	public void tokenRejected(FencingToken token, FencingToken highest, boolean reachable) {
		submit(() -> this.log.tokenRejected(token, highest, reachable));
	}

	@Override
	public void storeFailed(String error, Throwable failure) {
		submit(() -> this.log.storeFailed(error, failure));
	}

	@Override
	public void takeoverBlocked(String error) {
		submit(() -> this.log.takeoverBlocked(error));
	}

	@Override
	public void takeoverUnblocked(String election) {
		submit(() -> this.log.takeoverUnblocked(election));
	}

	@Override
	public void storeRecovered(int failures) {
		submit(() -> this.log.storeRecovered(failures));
	}

	@Override
	public void duplicateNodeId(String election) {
		submit(() -> this.log.duplicateNodeId(election));
	}

	private void submit(Runnable line) {
		this.queue.submit(line, () -> {
		});
	}

}
