package io.leaderelection.metrics;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of what Prometheus reads.
 *
 * @param name the metric
 * @param labels its labels
 * @param value its value
 */
record Sample(String name, Map<String, String> labels, double value) {

	private static final Pattern LINE = Pattern.compile("^([a-z_]+)(?:\\{(.*)})? (\\S+)$");

	private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

	/** The samples of leader election in a scrape. */
	static List<Sample> in(String scrape) {
		return scrape.lines().filter((line) -> line.startsWith("leader_")).map(Sample::of).toList();
	}

	private static Sample of(String line) {
		Matcher matcher = LINE.matcher(line);
		if (!matcher.matches()) {
			throw new IllegalArgumentException("This is no sample: " + line);
		}
		Map<String, String> labels = new TreeMap<>();
		if (matcher.group(2) != null) {
			LABEL.matcher(matcher.group(2)).results().forEach((label) -> labels.put(label.group(1), label.group(2)));
		}
		return new Sample(matcher.group(1), labels, Double.parseDouble(matcher.group(3)));
	}

	boolean has(Map<String, String> some) {
		return this.labels.entrySet().containsAll(some.entrySet());
	}

}
