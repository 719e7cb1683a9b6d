/**
 * Fences: the check at the resource that refuses the token of a former leader.
 *
 * <p>
 * A {@link io.leaderelection.fencing.Fence} holds only if it compares, remembers and
 * writes in one atomic step, where the data is. Those for databases, Redis and ZooKeeper
 * are in the packages of these backends. What they refuse to this node is reported to
 * {@link io.leaderelection.fencing.StaleTokens}.
 */
@NullMarked
package io.leaderelection.fencing;

import org.jspecify.annotations.NullMarked;
