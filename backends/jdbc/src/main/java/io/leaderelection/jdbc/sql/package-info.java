/**
 * Internal: plain JDBC. Depends on no other package of this module.
 */
@NullMarked
package io.leaderelection.jdbc.sql;

import org.jspecify.annotations.NullMarked;
