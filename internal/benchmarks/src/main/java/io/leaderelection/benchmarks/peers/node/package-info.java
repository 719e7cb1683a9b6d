/**
 * The application that every contestant runs in, and one configuration for each of them.
 */
@NullMarked
package io.leaderelection.benchmarks.peers.node;

import org.jspecify.annotations.NullMarked;
