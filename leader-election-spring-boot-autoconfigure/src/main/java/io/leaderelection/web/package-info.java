/**
 * Leadership over HTTP: answers of a node that does not lead, tokens that callers send,
 * and tokens that this node's clients send.
 */
@NullMarked
package io.leaderelection.web;

import org.jspecify.annotations.NullMarked;
