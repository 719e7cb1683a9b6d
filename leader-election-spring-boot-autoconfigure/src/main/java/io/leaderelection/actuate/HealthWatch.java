package io.leaderelection.actuate;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.leaderelection.Ineligibility;
import io.leaderelection.LeaderElections;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Has leadership follow a health group: a node is not eligible to lead before the group
 * was found healthy, and steps down when it no longer is. Polling from threads of its
 * own, so that a check that hangs holds up nothing; it counts as unhealthy after a while.
 */
class HealthWatch implements SmartLifecycle {

	/** Right below the elections, so that it starts before them and stops after them. */
	static final int PHASE = Integer.MAX_VALUE / 4 - 1;

	private static final Log logger = LogFactory.getLog(HealthWatch.class);

	private final LeaderElections elections;

	private final FollowedHealth health;

	private final HealthLeaderElectionProperties properties;

	private @Nullable Polling present;

	HealthWatch(LeaderElections elections, FollowedHealth health, HealthLeaderElectionProperties properties) {
		this.elections = elections;
		this.health = health;
		this.properties = properties;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public synchronized void start() {
		if (this.present == null) {
			this.elections.declareIneligible(Ineligibility.UNHEALTHY);
			this.present = new Polling();
		}
	}

	/** Most groups change with it. */
	@EventListener
	synchronized void readinessChanged(AvailabilityChangeEvent<ReadinessState> event) {
		if (this.present != null) {
			this.present.pollSoon();
		}
	}

	@Override
	public synchronized void stop() {
		if (this.present != null) {
			this.present.end();
			this.present = null;
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.present != null;
	}

	/**
	 * The checks between a start and a stop.
	 */
	private final class Polling {

		private final ScheduledExecutorService timer = Executors
			.newSingleThreadScheduledExecutor(daemons("leader-election-health-"));

		private final ExecutorService checks = Executors
			.newSingleThreadExecutor(daemons("leader-election-health-check-"));

		private final Hysteresis hysteresis = new Hysteresis(HealthWatch.this.properties.getFailureThreshold(),
				HealthWatch.this.properties.getSuccessThreshold());

		private final Duration timeout;

		private @Nullable Future<@Nullable String> check;

		private boolean saidNotYet;

		private Polling() {
			Duration interval = HealthWatch.this.properties.getInterval();
			Duration given = HealthWatch.this.properties.getTimeout();
			this.timeout = (given != null) ? given : interval;
			this.timer.scheduleWithFixedDelay(this::poll, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
		}

		private static CustomizableThreadFactory daemons(String prefix) {
			CustomizableThreadFactory threads = new CustomizableThreadFactory(prefix);
			threads.setDaemon(true);
			return threads;
		}

		private void pollSoon() {
			this.timer.execute(this::poll);
		}

		private void end() {
			this.timer.shutdownNow();
			this.checks.shutdownNow();
		}

		private void poll() {
			String trouble = trouble();
			if (this.timer.isShutdown()) {
				return;
			}
			if (this.hysteresis.looked(trouble == null)) {
				tell(trouble);
			}
			else if (trouble != null && !this.hysteresis.isHealthy() && !this.saidNotYet) {
				this.saidNotYet = true;
				logger.warn("Node '%s' is not eligible to lead yet: %s".formatted(HealthWatch.this.elections.nodeId(),
						trouble));
			}
		}

		private void tell(@Nullable String trouble) {
			this.saidNotYet = true;
			String nodeId = HealthWatch.this.elections.nodeId();
			if (trouble == null) {
				logger.info("Node '%s' is eligible to lead: the health group '%s' is healthy".formatted(nodeId,
						HealthWatch.this.health.name()));
				HealthWatch.this.elections.declareEligible(Ineligibility.UNHEALTHY);
			}
			else {
				logger.warn("Node '%s' is no longer eligible to lead: %s".formatted(nodeId, trouble));
				HealthWatch.this.elections.declareIneligible(Ineligibility.UNHEALTHY);
			}
		}

		/** A check that hangs is not begun again before it has come to an end. */
		private @Nullable String trouble() {
			Future<@Nullable String> underWay = this.check;
			if (underWay == null || underWay.isDone()) {
				underWay = this.checks.submit(HealthWatch.this.health::trouble);
				this.check = underWay;
			}
			String group = "the health group '%s' ".formatted(HealthWatch.this.health.name());
			try {
				String trouble = underWay.get(this.timeout.toMillis(), TimeUnit.MILLISECONDS);
				return (trouble != null) ? group + "is not healthy: " + trouble : null;
			}
			catch (TimeoutException ex) {
				return group + "did not answer within " + this.timeout;
			}
			catch (ExecutionException ex) {
				return group + "failed to answer: " + ex.getCause();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return group + "is no longer asked";
			}
		}

	}

}
