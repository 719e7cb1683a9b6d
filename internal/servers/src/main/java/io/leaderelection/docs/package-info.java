/**
 * The pages of the documentation and their examples.
 */
@NullMarked
package io.leaderelection.docs;

import org.jspecify.annotations.NullMarked;
