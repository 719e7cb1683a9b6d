/**
 * For tests of applications: a leadership that the test grants and takes away, without a
 * store and without waiting.
 */
@NullMarked
package io.leaderelection.test;

import org.jspecify.annotations.NullMarked;
