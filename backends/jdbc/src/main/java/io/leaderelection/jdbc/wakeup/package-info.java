/**
 * Internal: notifications of PostgreSQL, which wake candidates up.
 */
@NullMarked
package io.leaderelection.jdbc.wakeup;

import org.jspecify.annotations.NullMarked;
