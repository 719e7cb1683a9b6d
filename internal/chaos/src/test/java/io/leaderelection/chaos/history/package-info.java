/**
 * What happened in a run of chaos, and whether it may have. Nothing here knows a process,
 * a server or a clock.
 */
package io.leaderelection.chaos.history;
