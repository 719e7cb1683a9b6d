/**
 * The servers that contestants are decided by, each counting what it is asked.
 */
@NullMarked
package io.leaderelection.benchmarks.peers.store;

import org.jspecify.annotations.NullMarked;
