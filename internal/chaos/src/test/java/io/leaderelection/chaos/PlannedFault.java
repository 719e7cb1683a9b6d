package io.leaderelection.chaos;

import java.time.Duration;

import io.leaderelection.chaos.history.FaultKind;

/**
 * A fault to come.
 *
 * @param at when, from the beginning of the schedule
 * @param kind what
 * @param ofLeader whether it is meant for whoever leads then
 * @param node the number of the node that it is meant for otherwise
 * @param length how long it lasts
 * @param amount how much of it, from 0 to 1, where that means something
 */
record PlannedFault(Duration at, FaultKind kind, boolean ofLeader, int node, Duration length, double amount) {

}
