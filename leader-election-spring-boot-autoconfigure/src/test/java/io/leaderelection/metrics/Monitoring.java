package io.leaderelection.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.yaml.snakeyaml.Yaml;

import org.springframework.boot.json.JsonParserFactory;

/**
 * The dashboard and the alerts that are shipped with the documentation.
 */
final class Monitoring {

	private Monitoring() {
	}

	static List<Query> queries() {
		return Stream.of(dashboard().stream(), alerts().stream().map(Alert::query), page().stream())
			.flatMap((queries) -> queries)
			.toList();
	}

	/** What the page shows as a query. */
	static List<Query> page() {
		return Pattern.compile("```promql\n(.*?)```", Pattern.DOTALL)
			.matcher(Documented.read("metrics.md"))
			.results()
			.map((block) -> new Query(block.group(1)))
			.toList();
	}

	/** What the dashboard asks, for its panels and its variables. */
	static List<Query> dashboard() {
		List<Query> queries = new ArrayList<>();
		collect(JsonParserFactory.getJsonParser()
			.parseMap(Documented.read("monitoring/leader-election-dashboard.json")), queries);
		return queries;
	}

	private static void collect(Object value, List<Query> queries) {
		if (value instanceof Map<?, ?> map) {
			Stream.of("expr", "definition")
				.map(map::get)
				.filter(String.class::isInstance)
				.forEach((expression) -> queries.add(new Query((String) expression)));
			map.values().forEach((nested) -> collect(nested, queries));
		}
		else if (value instanceof List<?> list) {
			list.forEach((nested) -> collect(nested, queries));
		}
	}

	static List<Alert> alerts() {
		Map<String, List<Map<String, List<Map<String, Object>>>>> file = new Yaml()
			.load(Documented.read("monitoring/leader-election-alerts.yml"));
		return file.get("groups").stream().flatMap((group) -> group.get("rules").stream()).map(Alert::of).toList();
	}

	/**
	 * An alert.
	 */
	record Alert(String name, Query query, String summary, String description, String runbook) {

		private static Alert of(Map<String, Object> rule) {
			Map<?, ?> annotations = (Map<?, ?>) rule.get("annotations");
			return new Alert((String) rule.get("alert"), new Query((String) rule.get("expr")),
					(String) annotations.get("summary"), (String) annotations.get("description"),
					(String) annotations.get("runbook"));
		}

	}

	/**
	 * A query, as far as names can be taken out of it without a parser.
	 *
	 * @param expression in the language of Prometheus
	 */
	record Query(String expression) {

		private static final Pattern METRIC = Pattern.compile("\\b(leader_[a-z_]+)\\b(?:\\{([^}]*)})?");

		private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");

		private static final Pattern GROUPING = Pattern
			.compile("\\b(?:by|on|without|ignoring|group_left)\\s*\\(([^)]*)\\)");

		Set<String> metrics() {
			return selectors().keySet();
		}

		/** The labels that are asked for, by metric. */
		Map<String, Set<String>> selectors() {
			Map<String, Set<String>> selectors = new TreeMap<>();
			Matcher metric = METRIC.matcher(this.expression);
			while (metric.find()) {
				Set<String> labels = selectors.computeIfAbsent(metric.group(1), (name) -> new TreeSet<>());
				if (metric.group(2) != null) {
					LABEL.matcher(metric.group(2)).results().forEach((label) -> labels.add(label.group(1)));
				}
			}
			return selectors;
		}

		Set<String> groupingLabels() {
			return GROUPING.matcher(this.expression)
				.results()
				.flatMap((group) -> Arrays.stream(group.group(1).split(",")))
				.map(String::trim)
				.filter((label) -> !label.isEmpty())
				.collect(Collectors.toCollection(TreeSet::new));
		}

		boolean isBalanced() {
			return Stream.of("()", "{}", "[]").allMatch((pair) -> count(pair.charAt(0)) == count(pair.charAt(1)));
		}

		private long count(char bracket) {
			return this.expression.chars().filter((character) -> character == bracket).count();
		}

	}

}
