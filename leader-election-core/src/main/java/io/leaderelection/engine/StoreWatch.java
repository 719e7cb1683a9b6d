package io.leaderelection.engine;

import java.time.Duration;
import java.util.Map;
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

	private final EngineLock lock;

	private final NodeState node;

	private final Map<String, Election> elections;

	private final StoreCallScheduler scheduler;

	private @Nullable Watch open;

	/** Answers to what was sent until then may be about leases that are lost. */
	private long leasesLostAt = Long.MIN_VALUE;

	StoreWatch(EngineLock lock, NodeState node, Map<String, Election> elections, StoreCallScheduler scheduler) {
		this.lock = lock;
		this.node = node;
		this.elections = elections;
		this.scheduler = scheduler;
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
		if (this.open == null && this.node.isActive()) {
			this.open = opened.get();
			// what was given up before was not heard
			wakeAll();
		}
		else {
			this.scheduler.close(opened.get());
		}
	}

	void failed(long retryAt) {
		if (this.open == null && this.node.isActive()) {
			this.scheduler.watch(retryAt);
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
		wake(name, (candidate) -> candidate.leaseReleased(this.node.now()));
	}

	@Override
	public void wakeUp(String name, Duration turn) {
		wake(name, (candidate) -> candidate.leaseReleased(turn, this.node.now()));
	}

	private void wake(String name, Consumer<CandidateState> hint) {
		this.lock.enter(() -> {
			Election woken = this.elections.get(name);
			if (woken != null) {
				hint.accept(woken.candidate());
			}
		});
	}

	@Override
	public void wakeUpAll() {
		this.lock.enter(this::wakeAll);
	}

	private void wakeAll() {
		this.elections.values().forEach((election) -> election.candidate().wakeUp(this.node.now()));
	}

	@Override
	public void leasesLost() {
		this.lock.enter(() -> {
			this.leasesLostAt = this.node.now();
			this.elections.values().forEach((election) -> election.leader().leaseLost());
		});
	}

}
