/**
 * Elections in stores that keep one versioned record per election and have no clock: a
 * lease ends when another node has seen it unchanged for as long as the lease lasts.
 */
@NullMarked
package io.leaderelection.store.observed;

import org.jspecify.annotations.NullMarked;
