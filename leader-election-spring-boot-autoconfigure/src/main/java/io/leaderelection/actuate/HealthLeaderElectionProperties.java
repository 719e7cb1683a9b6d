package io.leaderelection.actuate;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configuration of the health that leadership follows, if it does.
 */
@ConfigurationProperties(HealthLeaderElectionProperties.PREFIX)
class HealthLeaderElectionProperties {

	static final String PREFIX = "leader-election.health";

	/**
	 * Health group to follow. The component of the elections themselves is left out of
	 * it.
	 */
	private String group = "readiness";

	/**
	 * How often to look at the health group.
	 */
	private Duration interval = Duration.ofSeconds(5);

	/**
	 * How long the health group may take to answer before it counts as unhealthy. By
	 * default, the interval.
	 */
	private @Nullable Duration timeout;

	/**
	 * How many looks in a row have to find the health group unhealthy before this node
	 * steps down.
	 */
	private int failureThreshold = 2;

	/**
	 * How many looks in a row have to find the health group healthy before a node that
	 * was unhealthy stands again.
	 */
	private int successThreshold = 3;

	public String getGroup() {
		return this.group;
	}

	public void setGroup(String group) {
		this.group = group;
	}

	public Duration getInterval() {
		return this.interval;
	}

	public void setInterval(Duration interval) {
		this.interval = requirePositive("interval", interval);
	}

	public @Nullable Duration getTimeout() {
		return this.timeout;
	}

	public void setTimeout(@Nullable Duration timeout) {
		this.timeout = (timeout != null) ? requirePositive("timeout", timeout) : null;
	}

	public int getFailureThreshold() {
		return this.failureThreshold;
	}

	public void setFailureThreshold(int failureThreshold) {
		this.failureThreshold = requirePositive("failure-threshold", failureThreshold);
	}

	public int getSuccessThreshold() {
		return this.successThreshold;
	}

	public void setSuccessThreshold(int successThreshold) {
		this.successThreshold = requirePositive("success-threshold", successThreshold);
	}

	private static Duration requirePositive(String name, Duration value) {
		if (value.toMillis() < 1 || value.compareTo(Duration.ofDays(1)) > 0) {
			throw invalid(name, value, "Set it to a duration of at least a millisecond and at most a day, such as 5s.");
		}
		return value;
	}

	private static int requirePositive(String name, int value) {
		if (value < 1) {
			throw invalid(name, value, "Set it to 1 or more.");
		}
		return value;
	}

	static InvalidConfigurationPropertyValueException invalid(String name, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException(PREFIX + "." + name, value, reason);
	}

}
