/**
 * Internal: wake-ups by notifications of PostgreSQL.
 */
@NullMarked
package io.leaderelection.jdbc.wakeup;

import org.jspecify.annotations.NullMarked;
