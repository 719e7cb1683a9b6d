/**
 * This project beside its peers: the same experiments, the same lease, one run.
 */
@NullMarked
package io.leaderelection.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
