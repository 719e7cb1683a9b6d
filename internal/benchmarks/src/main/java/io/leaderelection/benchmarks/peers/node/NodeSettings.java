package io.leaderelection.benchmarks.peers.node;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the driver tells a node.
 *
 * @param id who it is
 * @param lease how long a lease, a lock or a session lasts without a sign of life
 * @param elections how many elections it stands for
 * @param port where its store is, on this machine
 * @param sampled whether to ask every few milliseconds whether it leads
 */
@ConfigurationProperties("node")
record NodeSettings(String id, Duration lease, @DefaultValue("1") int elections, int port,
		@DefaultValue("false") boolean sampled) {

	List<String> names() {
		return IntStream.range(0, this.elections).mapToObj(NodeSettings::name).toList();
	}

	static String name(int election) {
		return "election-%05d".formatted(election);
	}

}
