package io.leaderelection.sample.demo;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How a node takes part in the demo.
 *
 * @param peers Addresses of all nodes as a browser reaches them, this one included. Their
 * pages may ask this node.
 * @param peerNames Names of the nodes at those addresses, in the same order. Shown until
 * a node has told its name itself.
 * @param exitWithParent Whether to exit when standard input ends, which it does when the
 * process that started this one has ended.
 * @param controls The controls.
 */
@ConfigurationProperties("demo")
public record DemoProperties(@DefaultValue List<String> peers, @DefaultValue List<String> peerNames,
		boolean exitWithParent, @DefaultValue Controls controls) {

	/**
	 * The ways to hurt this node from the page.
	 *
	 * @param enabled Whether this node can be frozen, cut off and crashed over HTTP.
	 * @param restartAfter When a node that has crashed is started again, by whoever
	 * started it. Shown on the page.
	 */
	public record Controls(boolean enabled, @Nullable Duration restartAfter) {
	}

}
