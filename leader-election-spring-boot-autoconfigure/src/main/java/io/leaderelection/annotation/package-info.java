/**
 * {@code @LeaderOnly}: methods that run, and beans that are started, on the leader alone.
 */
@NullMarked
package io.leaderelection.annotation;

import org.jspecify.annotations.NullMarked;
