package io.leaderelection.engine;

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
	public void troubleBegan(Throwable failure) {
		submit(() -> this.log.troubleBegan(failure));
	}

	@Override
	public void troubleEnded(int failures) {
		submit(() -> this.log.troubleEnded(failures));
	}

	@Override
	public void rehearsalFailed(Throwable failure) {
		submit(() -> this.log.rehearsalFailed(failure));
	}

	private void submit(Runnable line) {
		this.queue.submit(line, () -> {
		});
	}

}
