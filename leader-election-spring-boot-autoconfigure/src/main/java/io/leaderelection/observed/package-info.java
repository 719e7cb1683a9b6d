/**
 * Elections in stores that keep one record per election and have no clock: a lease ends
 * when it was seen unchanged for as long as it lasts.
 */
@NullMarked
package io.leaderelection.observed;

import org.jspecify.annotations.NullMarked;
