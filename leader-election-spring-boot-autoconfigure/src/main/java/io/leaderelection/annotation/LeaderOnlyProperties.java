package io.leaderelection.annotation;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.Ordered;
import org.springframework.util.Assert;

/**
 * Configuration of {@link LeaderOnly}.
 */
@ConfigurationProperties(LeaderOnlyProperties.PREFIX)
class LeaderOnlyProperties {

	static final String PREFIX = "leader-election.leader-only";

	/**
	 * After those whose advice belongs inside, like that of retries, and before those who
	 * take a bean as they find it, like the schedulers and most message listeners.
	 */
	static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1;

	/**
	 * Whether to guard methods with @LeaderOnly. Without it they run on every node.
	 */
	private boolean enabled = true;

	/**
	 * Order of the post-processor that guards beans, among the post-processors. One that
	 * comes later puts its advice outside of the guard, except for @Async, which is
	 * always outside.
	 */
	private int order = DEFAULT_ORDER;

	/**
	 * Whether @Scheduled methods with @LeaderOnly may have FencingToken and Leadership
	 * parameters. Replaces Spring's post-processor for @Scheduled by a subclass.
	 */
	private boolean scheduledArguments = true;

	/**
	 * What to do at the start when a class calls a @LeaderOnly method of its own past the
	 * guard.
	 */
	private SelfInvocation selfInvocation = SelfInvocation.FAIL;

	/**
	 * Most elections that @LeaderOnly expressions may name on this node by the arguments
	 * of calls. Each election costs a record in the store and about 28 time series.
	 */
	private int maxDynamicElections = 1000;

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public int getOrder() {
		return this.order;
	}

	public void setOrder(int order) {
		this.order = order;
	}

	public boolean isScheduledArguments() {
		return this.scheduledArguments;
	}

	public void setScheduledArguments(boolean scheduledArguments) {
		this.scheduledArguments = scheduledArguments;
	}

	public SelfInvocation getSelfInvocation() {
		return this.selfInvocation;
	}

	public void setSelfInvocation(SelfInvocation selfInvocation) {
		this.selfInvocation = selfInvocation;
	}

	public int getMaxDynamicElections() {
		return this.maxDynamicElections;
	}

	public void setMaxDynamicElections(int maxDynamicElections) {
		Assert.isTrue(maxDynamicElections >= 0, "Must not be negative. To allow no such election, set 0");
		this.maxDynamicElections = maxDynamicElections;
	}

	/**
	 * What to do about calls past the guard.
	 */
	public enum SelfInvocation {

		/** Do not start. */
		FAIL,

		/** Start, and log them. */
		WARN,

		/** Do not look for them. */
		IGNORE

	}

}
