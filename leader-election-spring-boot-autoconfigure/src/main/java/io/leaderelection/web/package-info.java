/**
 * Leadership over HTTP: responses of a node that does not lead, and tokens that callers
 * send.
 */
@NullMarked
package io.leaderelection.web;

import org.jspecify.annotations.NullMarked;
