package io.leaderelection.test;

import java.util.function.Function;

import io.leaderelection.engine.NodeClock;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.engine.StoreAccess;
import io.leaderelection.store.LeaseStore;

/**
 * Has the store answer soon, and never not.
 */
final class StoreCallsInTest implements StoreAccess {

	private final LeaseStore store;

	private final NodeClock clock;

	private final Activity activity;

	StoreCallsInTest(LeaseStore store, NodeClock clock, Activity activity) {
		this.store = store;
		this.clock = clock;
		this.activity = activity;
	}

	@Override
	public <R> Call submit(Operation operation, Function<LeaseStore, R> call, Answer<R> answer) {
		this.activity.run(() -> {
			Moment sentAt = this.clock.now();
			answer.answered(sentAt, call.apply(this.store));
		});
		return () -> {
		};
	}

}
