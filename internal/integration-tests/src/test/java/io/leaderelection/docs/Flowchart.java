package io.leaderelection.docs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of Mermaid's flowcharts that the documentation uses: a direction, subgraphs,
 * one node or one arrow a line. An arrow joins nodes that are there, and a label with
 * signs that mean something to Mermaid stands in quotation marks.
 */
final class Flowchart {

	private static final String LABEL = "(\"[^\"]*\"|[^\"()\\[\\]{}|]*)";

	private static final Pattern SUBGRAPH = Pattern.compile("subgraph (\\w+) \\[%s]".formatted(LABEL));

	private static final Pattern NODE = Pattern
		.compile("(\\w+)(?:\\[%1$s]|\\[\\(%1$s\\)]|\\{\\{%1$s}}|\\(%1$s\\))".formatted(LABEL));

	private static final Pattern ARROW = Pattern
		.compile("(\\w+) (?:<-->|-->|-\\.->)(?:\\|%s\\|)? (\\w+)".formatted(LABEL));

	/** Words that Mermaid takes for itself, also where a node is named. */
	private static final Set<String> RESERVED = Set.of("end", "graph", "flowchart", "subgraph", "style", "class",
			"click", "default", "direction");

	private final Set<String> nodes = new HashSet<>();

	private final List<String> problems = new ArrayList<>();

	private int open;

	private Flowchart() {
	}

	/** What is wrong with a chart; nothing if it is right. */
	static List<String> problems(String text) {
		Flowchart chart = new Flowchart();
		List<String> lines = text.lines().map(String::strip).toList();
		chart.check(lines.get(0).matches("flowchart (LR|RL|TB|TD|BT)"), lines.get(0));
		lines.stream().skip(1).forEach(chart::read);
		chart.check(chart.open == 0, "a subgraph without its end");
		return chart.problems;
	}

	private void read(String line) {
		Matcher subgraph = SUBGRAPH.matcher(line);
		Matcher node = NODE.matcher(line);
		Matcher arrow = ARROW.matcher(line);
		if (subgraph.matches()) {
			this.open++;
			name(subgraph.group(1));
		}
		else if (line.equals("end")) {
			check(--this.open >= 0, "an end without its subgraph");
		}
		else if (node.matches()) {
			name(node.group(1));
		}
		else if (arrow.matches()) {
			check(this.nodes.contains(arrow.group(1)), "from nowhere: " + line);
			check(this.nodes.contains(arrow.group(3)), "to nowhere: " + line);
		}
		else {
			check(line.isEmpty(), line);
		}
	}

	private void name(String name) {
		check(!RESERVED.contains(name), "a word of Mermaid's own: " + name);
		check(this.nodes.add(name), "twice: " + name);
	}

	private void check(boolean right, String what) {
		if (!right) {
			this.problems.add(what);
		}
	}

}
