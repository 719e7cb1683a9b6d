/**
 * A leadership to grant and take away in tests with an application context.
 */
@NullMarked
package io.leaderelection.test.spring;

import org.jspecify.annotations.NullMarked;
