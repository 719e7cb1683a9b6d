package io.leaderelection.metrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A meter as its row in {@code docs/metrics.md} describes it.
 *
 * @param name its name
 * @param type what it is
 * @param tags the names of its tags
 * @param prometheus its name in Prometheus, without what is added for parts of it
 */
record Documented(String name, String type, Set<String> tags, String prometheus) {

	private static final Pattern ROW = Pattern
		.compile("^\\| `(leader[a-z.]+)` \\| ([a-z ]+) \\| ([^|]+) \\| [^|]*\\| `(leader[a-z_]+)` \\| [^|]+\\|$");

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	static Path docs() {
		return Path.of("").toAbsolutePath().resolveSibling("docs");
	}

	static String read(String file) {
		try {
			return Files.readString(docs().resolve(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static List<Documented> all() {
		return read("metrics.md").lines()
			.map(ROW::matcher)
			.filter((row) -> row.matches())
			.map((row) -> new Documented(row.group(1), row.group(2), codes(row.group(3)), row.group(4)))
			.toList();
	}

	private static Set<String> codes(String cell) {
		return CODE.matcher(cell)
			.results()
			.map((MatchResult code) -> code.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** What Prometheus shows of it. */
	List<String> samples() {
		return switch (this.type) {
			case "gauge", "counter" -> List.of(this.prometheus);
			case "timer", "long task timer" ->
				Stream.of("_count", "_sum", "_max").map(this.prometheus::concat).toList();
			default -> throw new IllegalStateException("There is no meter of type " + this.type);
		};
	}

}
