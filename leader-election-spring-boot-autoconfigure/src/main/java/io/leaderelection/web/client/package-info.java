/**
 * Fencing tokens in requests that a leader sends.
 */
@NullMarked
package io.leaderelection.web.client;

import org.jspecify.annotations.NullMarked;
