/**
 * Internal: the transactions of leaders, checked at their commit. The databases are
 * behind {@link io.leaderelection.jdbc.fence.DataSourceFences}.
 */
@NullMarked
package io.leaderelection.jdbc.fence;

import org.jspecify.annotations.NullMarked;
