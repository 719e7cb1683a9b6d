/**
 * What operators see of the elections, and how they move leadership.
 */
@NullMarked
package io.leaderelection.actuate;

import org.jspecify.annotations.NullMarked;
