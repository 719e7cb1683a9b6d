/**
 * Changes of leadership as application events.
 */
@NullMarked
package io.leaderelection.event;

import org.jspecify.annotations.NullMarked;
