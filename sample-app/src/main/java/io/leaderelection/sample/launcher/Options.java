package io.leaderelection.sample.launcher;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

import org.springframework.core.env.SimpleCommandLinePropertySource;

/**
 * What {@code ./demo} was asked for. The script has checked it.
 *
 * @param backend what decides the elections
 * @param address where that is; empty if it is to be started
 * @param serverJar the program that starts it
 * @param nodes how many nodes
 * @param host what the nodes listen to, and are found by
 * @param port the port of the first node; the others follow
 * @param fenced whether the ledger refuses former leaders
 * @param directory where to keep logs and the database
 */
record Options(Backend backend, Optional<String> address, Optional<Path> serverJar, int nodes, String host, int port,
		boolean fenced, Path directory) {

	static Options parse(String... args) {
		SimpleCommandLinePropertySource source = new SimpleCommandLinePropertySource(args);
		return new Options(Backend.valueOf(required(source, "backend").toUpperCase(Locale.ROOT)),
				Optional.ofNullable(source.getProperty("address")),
				Optional.ofNullable(source.getProperty("server-jar")).map(Path::of),
				Integer.parseInt(required(source, "nodes")), required(source, "host"),
				Integer.parseInt(required(source, "port")), !source.containsProperty("no-fence"),
				Path.of(required(source, "directory")).toAbsolutePath());
	}

	private static String required(SimpleCommandLinePropertySource source, String option) {
		String value = source.getProperty(option);
		if (value == null) {
			throw new IllegalArgumentException("--%s is missing".formatted(option));
		}
		return value;
	}

	/** The addresses of all nodes. */
	List<URI> addresses() {
		return IntStream.range(0, this.nodes)
			.mapToObj((index) -> URI.create("http://%s:%d".formatted(this.host, this.port + index)))
			.toList();
	}

	enum Backend {

		/** A file that this process opens for all nodes. */
		H2,

		/** A server. */
		REDIS, ZOOKEEPER, JDBC

	}

}
