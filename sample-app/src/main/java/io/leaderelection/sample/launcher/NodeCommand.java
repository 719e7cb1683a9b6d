package io.leaderelection.sample.launcher;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.leaderelection.sample.SampleApplication;

/**
 * The command line of a node.
 */
final class NodeCommand {

	/** Quick to start, and small: three of them are to run beside everything else. */
	private static final List<String> JVM = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx192m");

	private final Options options;

	private final String ledger;

	private final String store;

	private final Duration restartAfter;

	/**
	 * Commands for all nodes.
	 * @param options what was asked for
	 * @param ledger the URL of the database of the ledger
	 * @param store the address of the store of the elections, unless that is the same
	 * @param restartAfter when a node that has ended is started again
	 */
	NodeCommand(Options options, String ledger, String store, Duration restartAfter) {
		this.options = options;
		this.ledger = ledger;
		this.store = store;
		this.restartAfter = restartAfter;
	}

	/** The nodes are called node-a, node-b and so on. */
	String nodeId(URI address) {
		return "node-" + (char) ('a' + address.getPort() - this.options.port());
	}

	List<String> of(URI address) {
		List<String> command = new ArrayList<>();
		command.add(ChildProcess.java());
		command.addAll(JVM);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), SampleApplication.class.getName()));
		properties(address).forEach((property) -> command.add("--" + property));
		return command;
	}

	private List<String> properties(URI address) {
		List<String> properties = new ArrayList<>();
		properties.add("server.address=" + address.getHost());
		properties.add("server.port=" + address.getPort());
		properties.add("leader-election.node-id=" + nodeId(address));
		properties.add("leader-election.fencing.jdbc.enabled=" + this.options.fenced());
		List<URI> addresses = this.options.addresses();
		properties.add("demo.peers=" + addresses.stream().map(URI::toString).collect(Collectors.joining(",")));
		properties.add("demo.peer-names=" + addresses.stream().map(this::nodeId).collect(Collectors.joining(",")));
		properties.add("demo.exit-with-parent=true");
		properties.add("demo.controls.restart-after=" + this.restartAfter.toSeconds() + "s");
		properties.addAll(whereEverythingIs());
		return properties;
	}

	private List<String> whereEverythingIs() {
		String url = "spring.datasource.url=";
		return switch (this.options.backend()) {
			case H2 -> List.of("spring.profiles.active=demo", url + this.ledger);
			case JDBC -> List.of("spring.profiles.active=demo,postgresql", url + this.store);
			case REDIS -> {
				int colon = this.store.lastIndexOf(':');
				yield List.of("spring.profiles.active=demo,redis", url + this.ledger,
						"spring.data.redis.host=" + this.store.substring(0, colon),
						"spring.data.redis.port=" + this.store.substring(colon + 1));
			}
			case ZOOKEEPER -> List.of("spring.profiles.active=demo,zookeeper", url + this.ledger,
					"leader-election.zookeeper.connect-string=" + this.store);
		};
	}

}
