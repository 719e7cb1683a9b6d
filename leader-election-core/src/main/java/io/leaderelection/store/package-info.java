/**
 * What a backend implements: a few atomic, blocking operations on leases, judged by the
 * store's own clock.
 */
@NullMarked
package io.leaderelection.store;

import org.jspecify.annotations.NullMarked;
