/**
 * Leases in a relational database, judged by the database's clock.
 */
@NullMarked
package io.leaderelection.jdbc;

import org.jspecify.annotations.NullMarked;
