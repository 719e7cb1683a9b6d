package io.leaderelection.metrics;

import java.lang.reflect.Method;
import java.util.Arrays;

import io.leaderelection.LeaderElections;
import io.leaderelection.Leadership;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.annotation.GuardedCallListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * Binds the meters of a node's elections, those made later included, and takes them out
 * of their registries when it is closed. All meters of an election are there before
 * anything has happened in it, so that a rate or an alert can begin at zero.
 *
 * <p>
 * Two nodes in one process that share a registry need tags of their own, since what has
 * the same name and tags is the same meter.
 */
public final class LeaderElectionMetrics implements MeterBinder, GuardedCallListener, AutoCloseable {

	private static final NodeMeters[] NONE = {};

	private final LeaderElections elections;

	private final Tags tags;

	private volatile NodeMeters[] bound = NONE;

	/**
	 * Meters without tags but their own.
	 * @param elections the elections of a node
	 */
	public LeaderElectionMetrics(LeaderElections elections) {
		this(elections, Tags.empty());
	}

	/**
	 * Meters with additional tags.
	 * @param elections the elections of a node
	 * @param tags added to every meter
	 */
	public LeaderElectionMetrics(LeaderElections elections, Iterable<Tag> tags) {
		this.elections = elections;
		this.tags = Tags.of(tags);
	}

	@Override
	public synchronized void bindTo(MeterRegistry registry) {
		NodeMeters meters = new NodeMeters(registry, this.tags);
		NodeMeters[] all = Arrays.copyOf(this.bound, this.bound.length + 1);
		all[all.length - 1] = meters;
		this.bound = all;
		meters.follow(this.elections);
	}

	@Override
	public void executed(Leadership leadership, Method method, long nanos, @Nullable Throwable failure) {
		count(leadership.token().election(), Outcome.EXECUTED, nanos);
	}

	@Override
	public void lost(Leadership leadership, Method method, long nanos, @Nullable Throwable failure) {
		count(leadership.token().election(), Outcome.LOST, nanos);
	}

	@Override
	public void skipped(String election, Method method) {
		count(election, Outcome.SKIPPED, 0);
	}

	@Override
	public void rejected(String election, Method method) {
		count(election, Outcome.REJECTED, 0);
	}

	private void count(String election, Outcome outcome, long nanos) {
		for (NodeMeters meters : this.bound) {
			meters.count(election, outcome, nanos);
		}
	}

	/**
	 * Counts a token that was refused to this node.
	 * @param refusal what the fence said
	 */
	public void refused(StaleLeaderException refusal) {
		for (NodeMeters meters : this.bound) {
			meters.refused(refusal.refused().election());
		}
	}

	/**
	 * Takes all meters out of their registries.
	 */
	@Override
	public synchronized void close() {
		for (NodeMeters meters : this.bound) {
			meters.close();
		}
		this.bound = NONE;
	}

}
