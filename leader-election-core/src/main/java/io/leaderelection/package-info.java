/**
 * Leader election as a user meets it: electors, tokens, listeners and settings.
 *
 * <p>
 * What is <em>not</em> promised comes first. {@link LeaderElector#isLeader()} is true
 * until a moment on this node's clocks that lies before the lease ends in the store. A
 * process can be stopped between that answer and the act that follows it; only a fence at
 * the resource, fed with the {@link FencingToken}, protects the resource then. Two nodes
 * never both answer true as long as the store is linearizable and the rates of all clocks
 * involved differ by less than {@link ElectionSettings#clockDrift()}. Nothing depends on
 * clocks showing the same time.
 *
 * <p>
 * The public API consists of the public types of all modules, except those in packages
 * whose documentation begins with "Internal".
 */
@NullMarked
package io.leaderelection;

import org.jspecify.annotations.NullMarked;
