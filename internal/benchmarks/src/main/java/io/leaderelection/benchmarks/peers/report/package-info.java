/**
 * Makes a page of figures: statistics, tables and plots.
 */
@NullMarked
package io.leaderelection.benchmarks.peers.report;

import org.jspecify.annotations.NullMarked;
