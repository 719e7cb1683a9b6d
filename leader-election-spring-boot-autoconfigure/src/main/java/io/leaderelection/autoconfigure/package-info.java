/**
 * Auto-configuration: picks the backend, builds the elections and ties them to the
 * application's life. Only this package sees all backends.
 */
@NullMarked
package io.leaderelection.autoconfigure;

import org.jspecify.annotations.NullMarked;
