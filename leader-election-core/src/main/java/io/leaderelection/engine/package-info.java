/**
 * Internal: the engine, one state machine per election, without threads, clocks or I/O of
 * its own.
 *
 * <p>
 * {@link io.leaderelection.engine.ElectionEngine} is one node. It reaches the world
 * through {@link io.leaderelection.engine.NodeClock},
 * {@link io.leaderelection.engine.Timers}, {@link io.leaderelection.engine.StoreAccess}
 * and {@link io.leaderelection.engine.Callbacks}, so that a simulator can own all of it.
 * The package {@code engine.runtime} supplies the real ones. Applications use
 * {@link io.leaderelection.LeaderElections} instead.
 */
@NullMarked
package io.leaderelection.engine;

import org.jspecify.annotations.NullMarked;
