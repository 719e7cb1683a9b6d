/**
 * Internal: a simulator for elections, several real engines on virtual time, with a
 * network, a store and clocks that misbehave. One seed is one run, so that whatever it
 * finds can be found again.
 */
@NullMarked
package io.leaderelection.test.simulation;

import org.jspecify.annotations.NullMarked;
