/**
 * Internal: leases that are bound to a session with PostgreSQL. The store uses
 * {@link io.leaderelection.jdbc.session.SessionMode} and its bindings; nothing here knows
 * the store.
 */
@NullMarked
package io.leaderelection.jdbc.session;

import org.jspecify.annotations.NullMarked;
