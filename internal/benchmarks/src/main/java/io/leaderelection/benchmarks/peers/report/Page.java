package io.leaderelection.benchmarks.peers.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaderelection.benchmarks.peers.Contestant;
import io.leaderelection.benchmarks.peers.Results;
import io.leaderelection.benchmarks.peers.Results.Figure;
import io.leaderelection.benchmarks.peers.report.BarPlot.Bar;
import io.leaderelection.benchmarks.peers.report.GrowthPlot.Line;

/**
 * The page about the comparison, made of the figures alone.
 */
public final class Page {

	private static final String IMAGES = "images/peers-";

	private final Results results;

	private final Path docs;

	private final String machine;

	/**
	 * A page.
	 * @param results what was measured
	 * @param docs the directory to write to
	 * @param machine where, and with which versions
	 */
	public Page(Results results, Path docs, String machine) {
		this.results = results;
		this.docs = docs;
		this.machine = machine;
	}

	/**
	 * Writes the page and its pictures.
	 * @throws IOException if that fails
	 */
	public void write() throws IOException {
		StringBuilder page = new StringBuilder(Texts.HEADING);
		page.append(this.machine).append("\n\n").append(settings()).append('\n');
		for (Section section : Section.all()) {
			List<Figure> figures = figures(section);
			if (!figures.isEmpty()) {
				page.append("## ").append(section.title()).append("\n\n").append(section.text()).append('\n');
				page.append(taken(figures)).append("\n\n");
				for (List<Measure> measures : section.tables()) {
					Table table = new Table(measured(measures, figures), figures);
					String verdict = table.verdict();
					page.append(table.markdown()).append('\n');
					page.append(verdict.isEmpty() ? "" : "Comparison of the medians:\n\n" + verdict + "\n\n");
				}
				for (Section.Picture picture : section.pictures()) {
					page.append(draw(picture, section, figures));
				}
			}
		}
		page.append(missing());
		Files.createDirectories(this.docs);
		Files.writeString(this.docs.resolve("benchmarks-peers.md"), page.toString().stripTrailing() + "\n");
	}

	/**
	 * A column of dashes would say that nobody can do a thing which was merely not tried.
	 */
	private static List<Measure> measured(List<Measure> measures, List<Figure> figures) {
		return measures.stream()
			.filter((measure) -> figures.stream().anyMatch((figure) -> figure.measure().equals(measure.name())))
			.toList();
	}

	private String missing() throws IOException {
		List<String> missing = new ArrayList<>();
		for (Section section : Section.all()) {
			for (String experiment : section.experiments()) {
				if (this.results.read(experiment).isEmpty()) {
					missing.add("`%s`".formatted(experiment));
				}
			}
		}
		return missing.isEmpty() ? "" : "## Not measured yet\n\n%s.\n".formatted(String.join(", ", missing));
	}

	private List<Figure> figures(Section section) throws IOException {
		List<Figure> figures = new ArrayList<>();
		for (String experiment : section.experiments()) {
			this.results.read(experiment)
				.forEach((figure) -> figures.add(new Figure(figure.contestant(), experiment + "/" + figure.measure(),
						figure.value(), figure.beyond(), figure.lease(), figure.load(), figure.taken())));
		}
		return figures;
	}

	private static String settings() {
		return Stream.of(Contestant.values())
			.map((contestant) -> "| %s | %s |\n".formatted(contestant.label(), contestant.settings()))
			.collect(Collectors.joining("", "| | settings |\n|---|---|\n", ""));
	}

	private static String taken(List<Figure> figures) {
		Instant first = figures.stream().map(Figure::taken).min(Comparator.naturalOrder()).orElseThrow();
		Instant last = figures.stream().map(Figure::taken).max(Comparator.naturalOrder()).orElseThrow();
		String leases = figures.stream()
			.map((figure) -> "%s s".formatted(Measure.number(figure.lease().toMillis() / 1000.0)))
			.distinct()
			.collect(Collectors.joining(", "));
		DoubleSummaryStatistics load = figures.stream().mapToDouble(Figure::load).summaryStatistics();
		return "Measured %s to %s UTC, lease %s, load of the machine %s to %s.".formatted(minute(first), minute(last),
				leases, Measure.number(load.getMin()), Measure.number(load.getMax()));
	}

	private static String minute(Instant instant) {
		return instant.atOffset(ZoneOffset.UTC).toString().substring(0, 16).replace('T', ' ');
	}

	private String draw(Section.Picture picture, Section section, List<Figure> figures) throws IOException {
		String file = IMAGES + picture.file() + ".png";
		if (picture.growth()) {
			List<Line> lines = lines(picture, figures);
			if (lines.isEmpty()) {
				return "";
			}
			new GrowthPlot(picture.title(), lines).write(this.docs.resolve(file));
		}
		else {
			Measure measure = section.measure(picture.measure());
			List<Bar> bars = bars(measure, figures);
			if (bars.isEmpty()) {
				return "";
			}
			new BarPlot(picture.title(), measure.format(), bars).write(this.docs.resolve(file));
		}
		return "![%s](%s)\n\n".formatted(picture.title(), file);
	}

	private static List<Bar> bars(Measure measure, List<Figure> figures) {
		return Stream.of(Contestant.values())
			.filter((contestant) -> !measure.of(figures, contestant).isEmpty())
			.map((contestant) -> new Bar(plain(contestant), contestant.ours(),
					Statistics.of(measure.of(figures, contestant)), measure.cell(figures, contestant)))
			.toList();
	}

	/** The figures whose measure ends with a number of elections. */
	private static List<Line> lines(Section.Picture picture, List<Figure> figures) {
		List<Line> lines = new ArrayList<>();
		for (Contestant contestant : Contestant.values()) {
			SortedMap<Integer, Double> points = new TreeMap<>();
			figures.stream()
				.filter((figure) -> figure.contestant() == contestant
						&& figure.measure().startsWith(picture.measure() + "-"))
				.forEach((figure) -> points
					.put(Integer.parseInt(figure.measure().substring(picture.measure().length() + 1)), figure.value()));
			if (!points.isEmpty()) {
				lines.add(new Line(plain(contestant), contestant.ours(), points));
			}
		}
		return lines;
	}

	private static String plain(Contestant contestant) {
		return contestant.label().replace("*", "");
	}

}
