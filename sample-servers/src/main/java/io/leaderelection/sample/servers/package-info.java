/**
 * Servers that the demo starts where there are none.
 */
@NullMarked
package io.leaderelection.sample.servers;

import org.jspecify.annotations.NullMarked;
