package io.leaderelection.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.leaderelection.ElectionStatus;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import io.leaderelection.LossReason;
import io.leaderelection.Transition;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;

/**
 * The meters of one election, looked up once, so that a guarded call only increments
 * them.
 */
final class ElectionMeters implements LeadershipListener {

	private final Counter gains;

	private final Map<LossReason, Counter> losses = new EnumMap<>(LossReason.class);

	private final Timer failover;

	private final Counter[] guardedCalls = new Counter[Outcome.values().length];

	private final Timer guardedExecution;

	/**
	 * Registers the meters.
	 * @param elector the election
	 * @param meters registers with the tag of the election
	 */
	ElectionMeters(LeaderElector elector, RegisteredMeters meters) {
		addGauges(elector, meters);
		this.gains = transitions(meters, Transition.Kind.GAINED, "none");
		for (LossReason reason : LossReason.values()) {
			this.losses.put(reason, transitions(meters, Transition.Kind.LOST, Words.of(reason)));
		}
		this.failover = meters.timer("failover",
				"Time from the last proof that the previous leader was alive until this node became leader");
		for (Outcome outcome : Outcome.values()) {
			this.guardedCalls[outcome.ordinal()] = meters.with("outcome", Words.of(outcome))
				.counter("guarded.calls", "calls", "Calls of @LeaderOnly methods, by what became of them");
		}
		this.guardedExecution = meters.timer("guarded.execution",
				"Duration of those calls of @LeaderOnly methods that ran");
	}

	private static void addGauges(LeaderElector elector, RegisteredMeters meters) {
		meters.gauge("leader", null, "Whether this node leads: 1 if it does, 0 if it does not",
				() -> elector.isLeader() ? 1 : 0);
		meters.gauge("token", null, "Fencing token of this node's leadership; 0 if it does not lead",
				() -> elector.fencingToken().map(FencingToken::value).orElse(0L));
		meters.timeGauge("validity", "How long this node may still call itself leader without another renewal",
				() -> elector.leadership().map(Leadership::remainingValidity).orElse(Duration.ZERO));
		Duration lease = elector.status().leaseDuration();
		meters.timeGauge("lease", "How long a lease lasts without renewal", () -> lease);
		meters.gauge("blocked", null, "Whether something other than the store blocks the election: 1 if so, 0 if not",
				() -> isBlocked(elector.status()) ? 1 : 0);
		meters.gauge("guarded.active", "calls", "Guarded work under way, which a step-down waits for",
				() -> elector.status().inFlight());
	}

	private static boolean isBlocked(ElectionStatus status) {
		return status.fenceAhead().isPresent() || status.blockedBy().isPresent();
	}

	private static Counter transitions(RegisteredMeters meters, Transition.Kind kind, String reason) {
		return meters.with("kind", Words.of(kind))
			.with("reason", reason)
			.counter("transitions", "transitions", "Leaderships that this node has gained and lost, by reason");
	}

	@Override
	public void gained(Gained event) {
		this.gains.increment();
	}

	@Override
	public void lost(Lost event) {
		this.losses.get(event.reason()).increment();
	}

	@Override
	public void leaderChanged(LeaderChanged event) {
		event.vacancy().ifPresent(this.failover::record);
	}

	void count(Outcome outcome, long nanos) {
		this.guardedCalls[outcome.ordinal()].increment();
		if (outcome.ran()) {
			this.guardedExecution.record(nanos, TimeUnit.NANOSECONDS);
		}
	}

}
