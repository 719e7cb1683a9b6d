/**
 * The stores that chaos is done on: real servers, what can be done to them, and what the
 * nodes have to know to use them.
 */
package io.leaderelection.chaos.backend;
