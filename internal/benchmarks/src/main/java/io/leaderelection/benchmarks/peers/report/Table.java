package io.leaderelection.benchmarks.peers.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaderelection.benchmarks.peers.Contestant;
import io.leaderelection.benchmarks.peers.Results.Figure;

/**
 * A row for each contestant, a column for each measure, and who is ahead.
 *
 * @param measures the columns
 * @param figures what was measured
 */
record Table(List<Measure> measures, List<Figure> figures) {

	/** The table, without those of whom nothing was measured. */
	String markdown() {
		StringBuilder table = new StringBuilder("| |");
		this.measures.forEach((measure) -> table.append(' ').append(measure.heading()).append(" |"));
		table.append("\n|---|").append("---|".repeat(this.measures.size())).append('\n');
		contestants().forEach((contestant) -> {
			table.append("| ").append(contestant.label()).append(" |");
			this.measures
				.forEach((measure) -> table.append(' ').append(measure.cell(this.figures, contestant)).append(" |"));
			table.append('\n');
		});
		return table.toString();
	}

	Stream<Contestant> contestants() {
		return Stream.of(Contestant.values())
			.filter((contestant) -> this.measures.stream()
				.anyMatch((measure) -> !measure.of(this.figures, contestant).isEmpty()));
	}

	/**
	 * How each of ours stands to the peers, by the medians. Behind is said as loudly as
	 * ahead, and a difference that may be chance is none.
	 */
	String verdict() {
		return this.measures.stream()
			.filter(Measure::comparable)
			.filter((measure) -> !standings(measure, true).isEmpty() && !standings(measure, false).isEmpty())
			.map(this::verdict)
			.collect(Collectors.joining("\n"));
	}

	private String verdict(Measure measure) {
		List<Standing> peers = standings(measure, false);
		Map<String, List<String>> ours = new LinkedHashMap<>();
		standings(measure, true).forEach((own) -> ours.computeIfAbsent(compare(own, peers), (same) -> new ArrayList<>())
			.add(own.contestant().label()));
		return "- %s: %s.".formatted(measure.heading(),
				ours.entrySet()
					.stream()
					.map((entry) -> "%s %s".formatted(String.join(", ", entry.getValue()), entry.getKey()))
					.collect(Collectors.joining("; ")));
	}

	private static String compare(Standing own, List<Standing> peers) {
		String level = labels(peers, own::isLevelWith);
		String behind = labels(peers, (peer) -> !own.isLevelWith(peer) && peer.median() < own.median());
		if (behind.isEmpty() && level.isEmpty()) {
			return "ahead of every peer";
		}
		return Stream.of(behind.isEmpty() ? "" : "**behind** " + behind, level.isEmpty() ? "" : "level with " + level)
			.filter((part) -> !part.isEmpty())
			.collect(Collectors.joining(" and "));
	}

	private static String labels(List<Standing> peers, Predicate<Standing> which) {
		return peers.stream().filter(which).map((peer) -> peer.contestant().label()).collect(Collectors.joining(", "));
	}

	private List<Standing> standings(Measure measure, boolean ours) {
		return contestants().filter((contestant) -> contestant.ours() == ours)
			.filter((contestant) -> !measure.of(this.figures, contestant).isEmpty())
			.map((contestant) -> new Standing(contestant, Statistics.of(measure.of(this.figures, contestant))))
			.toList();
	}

	private record Standing(Contestant contestant, Statistics statistics) {

		double median() {
			return this.statistics.median();
		}

		/** The median of each is one of the values that the other may have had. */
		boolean isLevelWith(Standing other) {
			return this.statistics.spans(other.median()) && other.statistics.spans(median());
		}

	}

}
