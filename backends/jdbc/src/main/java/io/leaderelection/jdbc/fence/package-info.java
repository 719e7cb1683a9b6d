/**
 * Internal: transactions whose tokens are checked at the commit.
 */
@NullMarked
package io.leaderelection.jdbc.fence;

import org.jspecify.annotations.NullMarked;
