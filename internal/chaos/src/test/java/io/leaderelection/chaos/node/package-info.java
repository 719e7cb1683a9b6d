/**
 * The program that chaos is done to: an ordinary application with one election, and the
 * two files in which it leaves what it has seen.
 */
package io.leaderelection.chaos.node;
