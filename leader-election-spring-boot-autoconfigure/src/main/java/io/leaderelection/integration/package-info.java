/**
 * Leadership for Spring Integration: endpoints with the role of an election's name run on
 * its leader.
 */
@NullMarked
package io.leaderelection.integration;

import org.jspecify.annotations.NullMarked;
