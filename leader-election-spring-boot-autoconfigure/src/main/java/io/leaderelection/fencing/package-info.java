/**
 * Fences: the check at the resource that refuses the token of a former leader.
 */
@NullMarked
package io.leaderelection.fencing;

import org.jspecify.annotations.NullMarked;
