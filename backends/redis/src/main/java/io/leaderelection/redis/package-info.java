/**
 * Elections on Redis: one hash per election, changed by scripts that ask the server for
 * the time.
 */
@NullMarked
package io.leaderelection.redis;

import org.jspecify.annotations.NullMarked;
