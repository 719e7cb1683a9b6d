package io.leaderelection.test;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.store.LeaseStore;

/**
 * Decides in a test who leads. The elections are run by the real engine, on clocks that
 * stand still: this node follows until it is {@link #grant granted} leadership, and leads
 * until the test takes it away, however long a breakpoint lasts.
 *
 * <p>
 * Each method returns when the change is complete: {@code isLeader()} answers
 * accordingly, work under way has been interrupted or cancelled, and all callbacks have
 * returned.
 */
public final class TestLeadership implements AutoCloseable {

	private final TestElections elections = new TestElections();

	/**
	 * The elections of this node, for the code under test.
	 * @return the elections
	 */
	public LeaderElections elections() {
		return this.elections;
	}

	/**
	 * What decides the elections, for code that asks a store.
	 * @return the store
	 */
	public LeaseStore store() {
		return this.elections.store();
	}

	/**
	 * Lets this node lead.
	 * @param election the election
	 * @return the token of the leadership, higher than any before
	 * @throws IllegalStateException if the elector is paused
	 */
	public FencingToken grant(String election) {
		ControlledElection controlled = this.elections.startedElection(election);
		controlled.grant();
		return controlled.elector()
			.fencingToken()
			.orElseThrow(() -> new IllegalStateException(
					"'%s' cannot be led: it is %s".formatted(election, controlled.elector().status().state())));
	}

	/**
	 * Takes leadership away at once: another node leads, and this one learns of it. Does
	 * nothing if this node follows.
	 * @param election the election
	 */
	public void revoke(String election) {
		ControlledElection controlled = this.elections.startedElection(election);
		if (controlled.elector().isLeader()) {
			controlled.overtake();
			controlled.notice();
		}
	}

	/**
	 * Lets leadership end by time, as if this process had been paused for longer than the
	 * lease. Does nothing if this node follows.
	 * @param election the election
	 */
	public void expire(String election) {
		ControlledElection controlled = this.elections.startedElection(election);
		if (controlled.elector().isLeader()) {
			controlled.expire();
		}
	}

	/**
	 * Lets another node take over without this one noticing, so that whatever this one
	 * does now has to be refused by a fence that has seen the returned token. It notices
	 * as soon as it asks the store, as it does after a refusal.
	 * @param election the election
	 * @return the token of the other node
	 * @throws IllegalStateException if this node does not lead
	 */
	public FencingToken fence(String election) {
		ControlledElection controlled = this.elections.startedElection(election);
		if (!controlled.elector().isLeader()) {
			throw new IllegalStateException(
					"'%s' is not led by this node: grant it before you fence it off".formatted(election));
		}
		return controlled.overtake();
	}

	/**
	 * Makes this node a follower everywhere, as at the beginning. Tokens go on rising.
	 */
	public void reset() {
		this.elections.electors().stream().map(LeaderElector::election).forEach(this::reset);
	}

	private void reset(String election) {
		ControlledElection controlled = this.elections.startedElection(election);
		if (controlled.elector().isLeader()) {
			controlled.expire();
		}
		controlled.elector().resume();
	}

	@Override
	public void close() {
		this.elections.close();
	}

}
