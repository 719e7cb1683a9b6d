/**
 * Chaos: real processes and real servers, faults by a schedule that a seed decides, and a
 * history of what came of it.
 */
package io.leaderelection.chaos;
