package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Configuration of the node, and of its elections.
 *
 * <p>
 * An election takes each duration from its own {@code elections.<name>} first. Of what is
 * missing there, the renew interval, the call timeout, the safety margin and the transfer
 * grace are parts of a lease: they follow from the election's own lease duration if it
 * has one, and are the global ones otherwise. The drain timeout and the cold start wait
 * have nothing to do with a lease, and are always the global ones.
 */
@ConfigurationProperties(LeaderElectionProperties.PREFIX)
class LeaderElectionProperties {

	static final String PREFIX = "leader-election";

	/**
	 * Whether to configure leader election. Without it there are no LeaderElector beans.
	 */
	private boolean enabled = true;

	/**
	 * Whether to stand for the elections as soon as the application is ready. Otherwise
	 * the application calls start() on the LeaderElections bean.
	 */
	private boolean autoStartup = true;

	/**
	 * Where the leases are stored. May be omitted if only one backend is available.
	 */
	private @Nullable String backend;

	/**
	 * Name of this node, for people. By default, the host name and a short random part.
	 */
	private @Nullable String nodeId;

	/**
	 * How long a lease lasts in the store without renewal, which is how long a crashed
	 * leader is missed.
	 */
	private Duration leaseDuration = Duration.ofSeconds(10);

	/**
	 * How often the leader renews its lease. By default, a third of the lease duration.
	 */
	private @Nullable Duration renewInterval;

	/**
	 * How long one call to the store may take, at most a third of the lease duration. By
	 * default, a fifth of the lease duration.
	 */
	private @Nullable Duration callTimeout;

	/**
	 * How long before the end of its lease a leader that cannot renew stops calling
	 * itself leader. By default, a twentieth of the lease duration.
	 */
	private @Nullable Duration safetyMargin;

	/**
	 * How long a leader that steps down, or an application that shuts down, waits for the
	 * guarded work under way and for listeners before the lease is left to expire.
	 */
	private Duration drainTimeout = Duration.ofSeconds(20);

	/**
	 * How long a node that has never seen the record of an election waits before it
	 * creates it.
	 */
	private Duration coldStartWait = Duration.ZERO;

	/**
	 * How long a transferred lease is reserved for the node it was transferred to. By
	 * default, the renew interval.
	 */
	private @Nullable Duration transferGrace;

	/**
	 * By which part the rates of the clocks of two machines may differ, from 0 to below
	 * 0.5.
	 */
	private double clockDrift = 0.01;

	/**
	 * Whether this node stands aside while its application refuses traffic. What it leads
	 * already, it goes on leading.
	 */
	private boolean standOnlyWhenReady = true;

	/**
	 * Whether this node steps down, and stands aside, while a health group is not
	 * healthy.
	 */
	private boolean stepDownWhenUnhealthy;

	/**
	 * Elections to stand for, by name, each with the durations that differ from the
	 * global ones, or with nothing. Without any, there is one named "default".
	 */
	private Map<String, Election> elections = new LinkedHashMap<>();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public boolean isAutoStartup() {
		return this.autoStartup;
	}

	public void setAutoStartup(boolean autoStartup) {
		this.autoStartup = autoStartup;
	}

	public @Nullable String getBackend() {
		return this.backend;
	}

	public void setBackend(@Nullable String backend) {
		this.backend = backend;
	}

	public @Nullable String getNodeId() {
		return this.nodeId;
	}

	public void setNodeId(@Nullable String nodeId) {
		this.nodeId = nodeId;
	}

	public Duration getLeaseDuration() {
		return this.leaseDuration;
	}

	public void setLeaseDuration(Duration leaseDuration) {
		this.leaseDuration = leaseDuration;
	}

	public @Nullable Duration getRenewInterval() {
		return this.renewInterval;
	}

	public void setRenewInterval(@Nullable Duration renewInterval) {
		this.renewInterval = renewInterval;
	}

	public @Nullable Duration getCallTimeout() {
		return this.callTimeout;
	}

	public void setCallTimeout(@Nullable Duration callTimeout) {
		this.callTimeout = callTimeout;
	}

	public @Nullable Duration getSafetyMargin() {
		return this.safetyMargin;
	}

	public void setSafetyMargin(@Nullable Duration safetyMargin) {
		this.safetyMargin = safetyMargin;
	}

	public Duration getDrainTimeout() {
		return this.drainTimeout;
	}

	public void setDrainTimeout(Duration drainTimeout) {
		this.drainTimeout = drainTimeout;
	}

	public Duration getColdStartWait() {
		return this.coldStartWait;
	}

	public void setColdStartWait(Duration coldStartWait) {
		this.coldStartWait = coldStartWait;
	}

	public @Nullable Duration getTransferGrace() {
		return this.transferGrace;
	}

	public void setTransferGrace(@Nullable Duration transferGrace) {
		this.transferGrace = transferGrace;
	}

	public double getClockDrift() {
		return this.clockDrift;
	}

	public void setClockDrift(double clockDrift) {
		this.clockDrift = clockDrift;
	}

	public boolean isStandOnlyWhenReady() {
		return this.standOnlyWhenReady;
	}

	public void setStandOnlyWhenReady(boolean standOnlyWhenReady) {
		this.standOnlyWhenReady = standOnlyWhenReady;
	}

	public boolean isStepDownWhenUnhealthy() {
		return this.stepDownWhenUnhealthy;
	}

	public void setStepDownWhenUnhealthy(boolean stepDownWhenUnhealthy) {
		this.stepDownWhenUnhealthy = stepDownWhenUnhealthy;
	}

	public Map<String, Election> getElections() {
		return this.elections;
	}

	public void setElections(Map<String, Election> elections) {
		this.elections = elections;
	}

	/**
	 * What one election does differently.
	 */
	public static class Election {

		/**
		 * How long a lease of this election lasts in the store without renewal. By
		 * default, the global lease duration.
		 */
		private @Nullable Duration leaseDuration;

		/**
		 * How often the leader renews its lease. By default, a third of this election's
		 * own lease duration, or the global renew interval if it has none.
		 */
		private @Nullable Duration renewInterval;

		/**
		 * How long one call to the store may take, at most a third of the lease duration.
		 * By default, a fifth of this election's own lease duration, or the global call
		 * timeout if it has none.
		 */
		private @Nullable Duration callTimeout;

		/**
		 * How long before the end of its lease a leader that cannot renew stops calling
		 * itself leader. By default, a twentieth of this election's own lease duration,
		 * or the global safety margin if it has none.
		 */
		private @Nullable Duration safetyMargin;

		/**
		 * How long a leader that steps down waits for the guarded work under way and for
		 * listeners. By default, the global drain timeout.
		 */
		private @Nullable Duration drainTimeout;

		/**
		 * How long a node that has never seen the record of this election waits before it
		 * creates it. By default, the global cold start wait.
		 */
		private @Nullable Duration coldStartWait;

		/**
		 * How long a transferred lease is reserved for the node it was transferred to. By
		 * default, the renew interval if this election has a lease duration of its own,
		 * or else the global transfer grace.
		 */
		private @Nullable Duration transferGrace;

		public @Nullable Duration getLeaseDuration() {
			return this.leaseDuration;
		}

		public void setLeaseDuration(@Nullable Duration leaseDuration) {
			this.leaseDuration = leaseDuration;
		}

		public @Nullable Duration getRenewInterval() {
			return this.renewInterval;
		}

		public void setRenewInterval(@Nullable Duration renewInterval) {
			this.renewInterval = renewInterval;
		}

		public @Nullable Duration getCallTimeout() {
			return this.callTimeout;
		}

		public void setCallTimeout(@Nullable Duration callTimeout) {
			this.callTimeout = callTimeout;
		}

		public @Nullable Duration getSafetyMargin() {
			return this.safetyMargin;
		}

		public void setSafetyMargin(@Nullable Duration safetyMargin) {
			this.safetyMargin = safetyMargin;
		}

		public @Nullable Duration getDrainTimeout() {
			return this.drainTimeout;
		}

		public void setDrainTimeout(@Nullable Duration drainTimeout) {
			this.drainTimeout = drainTimeout;
		}

		public @Nullable Duration getColdStartWait() {
			return this.coldStartWait;
		}

		public void setColdStartWait(@Nullable Duration coldStartWait) {
			this.coldStartWait = coldStartWait;
		}

		public @Nullable Duration getTransferGrace() {
			return this.transferGrace;
		}

		public void setTransferGrace(@Nullable Duration transferGrace) {
			this.transferGrace = transferGrace;
		}

	}

}
