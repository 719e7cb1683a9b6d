package io.leaderelection.chaos.node;

import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;

/**
 * How not to do it: leadership as a flag that listeners set, and take back when they come
 * to it, half a second late.
 */
final class Flag implements LeadershipListener {

	private volatile long token;

	@Override
	public void gained(Gained event) {
		this.token = event.token().value();
	}

	@Override
	public void lost(Lost event) {
		Threads.daemon("late", () -> {
			Threads.rest(500);
			if (this.token == event.token().value()) {
				this.token = 0;
			}
		});
	}

	long token() {
		return this.token;
	}

}
