package io.leaderelection.annotation;

import io.leaderelection.NotLeaderException;

/**
 * What happens to a call of a {@link LeaderOnly} method while this node does not lead.
 */
public enum NotLeaderPolicy {

	/**
	 * {@link #SKIP} for methods that return nothing and for {@code @Scheduled} ones,
	 * {@link #THROW} for all others.
	 */
	DEFAULT,

	/**
	 * Nothing happens. The caller gets {@code null}, or whatever of its kind is empty: an
	 * {@code Optional}, a {@code Mono}, a {@code Flux}, a future of {@code null}.
	 */
	SKIP,

	/**
	 * The caller gets a {@link NotLeaderException}, through the future or the stream if
	 * the method returns one.
	 */
	THROW

}
