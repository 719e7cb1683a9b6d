package io.leaderelection.benchmarks.peers.node;

import org.springframework.context.annotation.Configuration;

/**
 * The same application without any election, for what the others add to its start.
 */
@Configuration(proxyBeanMethods = false)
class NoElections {

}
