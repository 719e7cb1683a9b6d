/**
 * Internal: connections, parameters and failures of plain JDBC. Knows no other package of
 * this module.
 */
@NullMarked
package io.leaderelection.jdbc.sql;

import org.jspecify.annotations.NullMarked;
