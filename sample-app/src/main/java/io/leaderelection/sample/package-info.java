/**
 * An application that makes payouts: many nodes, of which one pays at a time.
 */
@NullMarked
package io.leaderelection.sample;

import org.jspecify.annotations.NullMarked;
