/**
 * Servers for tests, started from binaries on the class path or on the {@code PATH}.
 */
@NullMarked
package io.leaderelection.servers;

import org.jspecify.annotations.NullMarked;
