package io.leaderelection.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * What the store tells a node unasked, for as long as it is watched: hints, and that
 * leases are lost. The hints come from any thread; all else runs under the engine's lock.
 */
final class StoreWatch implements WakeUps {

	private final ElectionEngine engine;

	private @Nullable Watch open;

	/** Answers to what was sent until then may be about leases that are lost. */
	private long leasesLostAt = Long.MIN_VALUE;

	StoreWatch(ElectionEngine engine) {
		this.engine = engine;
	}

	void startAnew() {
		this.leasesLostAt = Long.MIN_VALUE;
	}

	boolean isOpen() {
		return this.open != null;
	}

	void opened(Optional<Watch> opened) {
		if (opened.isEmpty()) {
			return;
		}
		if (this.open == null && this.engine.stands()) {
			this.open = opened.get();
			// what was given up before was not heard
			wakeAll();
		}
		else {
			this.engine.scheduler().close(opened.get());
		}
	}

	void failed(long retryAt) {
		if (this.open == null && this.engine.stands()) {
			this.engine.scheduler().watch(retryAt);
		}
	}

	/** Has the watch closed, if there is one. */
	boolean end(Consumer<Watch> close) {
		Watch ended = this.open;
		this.open = null;
		if (ended != null) {
			close.accept(ended);
		}
		return ended != null;
	}

	/** Whether leases that were granted to a request of this moment were lost since. */
	boolean hasLost(Moment sentAt) {
		return sentAt.nanos() <= this.leasesLostAt;
	}

	@Override
	public void wakeUp(String name) {
		wake(name, (seeking) -> seeking.givenUp(this.engine.now()));
	}

	@Override
	public void wakeUp(String name, Duration turn) {
		wake(name, (seeking) -> seeking.givenUp(turn, this.engine.now()));
	}

	private void wake(String name, Consumer<Seeking> hint) {
		this.engine.enter(() -> {
			Election woken = this.engine.election(name);
			if (woken != null) {
				hint.accept(woken.seeking());
			}
		});
	}

	@Override
	public void wakeUpAll() {
		this.engine.enter(this::wakeAll);
	}

	private void wakeAll() {
		this.engine.elections().forEach((election) -> election.seeking().wakeUp(this.engine.now()));
	}

	@Override
	public void leasesLost() {
		this.engine.enter(() -> {
			this.leasesLostAt = this.engine.now();
			this.engine.elections().forEach(Election::leaseLost);
		});
	}

}
