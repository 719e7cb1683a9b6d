/**
 * Internal: the engine's threads, clocks, timers and log in production.
 *
 * <p>
 * {@link io.leaderelection.engine.runtime.DefaultLeaderElections} assembles them. The
 * engine does not depend on this package; a simulator replaces all of it.
 */
@NullMarked
package io.leaderelection.engine.runtime;

import org.jspecify.annotations.NullMarked;
