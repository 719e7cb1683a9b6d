/**
 * Nodes and processes that take part in elections, and what all backends have to do with
 * them.
 */
@NullMarked
package io.leaderelection.nodes;

import org.jspecify.annotations.NullMarked;
