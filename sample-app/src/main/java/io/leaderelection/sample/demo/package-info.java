/**
 * What the page shows, and the ways to hurt a node from it. An application of your own
 * needs nothing of this.
 */
@NullMarked
package io.leaderelection.sample.demo;

import org.jspecify.annotations.NullMarked;
