package io.leaderelection.metrics;

import java.lang.reflect.Method;

import io.leaderelection.FencingToken;
import io.micrometer.observation.Observation;

/**
 * What is known of a guarded call that is observed.
 */
public class LeaderOnlyObservationContext extends Observation.Context {

	private final FencingToken token;

	private final String nodeId;

	private final Method method;

	private boolean over;

	private boolean lost;

	/**
	 * The context of a call that begins.
	 * @param token the token of the leadership that it runs under
	 * @param nodeId the node that leads, which is this one
	 * @param method the guarded method
	 */
	public LeaderOnlyObservationContext(FencingToken token, String nodeId, Method method) {
		this.token = token;
		this.nodeId = nodeId;
		this.method = method;
	}

	/**
	 * The token of the leadership that the call runs under.
	 * @return the token
	 */
	public FencingToken getToken() {
		return this.token;
	}

	/**
	 * The node that leads.
	 * @return its id
	 */
	public String getNodeId() {
		return this.nodeId;
	}

	/**
	 * The guarded method.
	 * @return the method
	 */
	public Method getMethod() {
		return this.method;
	}

	/**
	 * Whether the work of the call is over.
	 * @return {@code false} while it goes on
	 */
	public boolean isOver() {
		return this.over;
	}

	/**
	 * Whether the leadership ended before the call did.
	 * @return {@code true} if it was lost; never before the call is over
	 */
	public boolean isLost() {
		return this.lost;
	}

	void end(boolean lasted) {
		this.over = true;
		this.lost = !lasted;
	}

}
