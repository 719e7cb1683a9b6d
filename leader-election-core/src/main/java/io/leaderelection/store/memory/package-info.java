/**
 * A store in this process: for tests, for the simulator, and for an application that has
 * one process only.
 */
@NullMarked
package io.leaderelection.store.memory;

import org.jspecify.annotations.NullMarked;
