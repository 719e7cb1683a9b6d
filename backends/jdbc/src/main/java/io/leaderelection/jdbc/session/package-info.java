/**
 * Internal: leases that are bound to a session with PostgreSQL.
 */
@NullMarked
package io.leaderelection.jdbc.session;

import org.jspecify.annotations.NullMarked;
