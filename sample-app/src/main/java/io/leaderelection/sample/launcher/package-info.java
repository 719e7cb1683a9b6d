/**
 * What {@code ./demo} runs: starts the nodes, keeps them running, and ends them with
 * itself.
 */
@NullMarked
package io.leaderelection.sample.launcher;

import org.jspecify.annotations.NullMarked;
