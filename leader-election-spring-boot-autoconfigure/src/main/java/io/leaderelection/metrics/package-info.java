/**
 * Meters of the elections, and observations of guarded calls.
 */
@NullMarked
package io.leaderelection.metrics;

import org.jspecify.annotations.NullMarked;
