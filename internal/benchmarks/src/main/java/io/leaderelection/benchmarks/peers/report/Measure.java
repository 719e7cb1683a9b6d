package io.leaderelection.benchmarks.peers.report;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

import io.leaderelection.benchmarks.peers.Contestant;
import io.leaderelection.benchmarks.peers.Results.Figure;

/**
 * A column of a table: which figures it is made of, and how they are written.
 *
 * @param name what the experiment calls it
 * @param heading what the reader calls it
 * @param spread whether to show the lowest and the highest too
 * @param format writes one value
 * @param comparable whether less is better, so that we can be ahead or not
 */
record Measure(String name, String heading, boolean spread, DoubleFunction<String> format, boolean comparable) {

	static final String ABSENT = "–";

	/** Three significant digits at the most, and no decimals that say nothing. */
	static String number(double value) {
		double size = Math.abs(value);
		if (size == 0) {
			return "0";
		}
		return write((size < 1) ? "%.2f" : (size < 10) ? "%.1f" : "%,.0f", value);
	}

	static String seconds(double millis) {
		return number(millis / 1000);
	}

	static String mebibytes(double bytes) {
		return whole(bytes / (1 << 20));
	}

	static String whole(double value) {
		return write("%,.0f", value);
	}

	private static String write(String format, double value) {
		return String.format(Locale.ROOT, format, value);
	}

	/** Milliseconds, of which less is better. */
	static Measure millis(String name, String heading) {
		return new Measure(name, heading, true, Measure::number, true);
	}

	/** One value, of which less is better. */
	static Measure single(String name, String heading, DoubleFunction<String> format) {
		return new Measure(name, heading, false, format, true);
	}

	Measure in(DoubleFunction<String> format) {
		return new Measure(this.name, this.heading, this.spread, format, this.comparable);
	}

	Measure toldOnly() {
		return new Measure(this.name, this.heading, this.spread, this.format, false);
	}

	List<Figure> of(List<Figure> figures, Contestant contestant) {
		return figures.stream()
			.filter((figure) -> figure.contestant() == contestant && figure.measure().equals(this.name))
			.toList();
	}

	/** Who cannot do a thing gets a dash, never a zero. */
	String cell(List<Figure> figures, Contestant contestant) {
		List<Figure> own = of(figures, contestant);
		if (own.isEmpty()) {
			return ABSENT;
		}
		Statistics statistics = Statistics.of(own);
		String median = write(statistics.median(), statistics.medianBeyond());
		if (!this.spread || statistics.count() == 1) {
			return median;
		}
		return "%s (%s to %s)".formatted(median, this.format.apply(statistics.lowest()),
				write(statistics.highest(), statistics.highestBeyond()));
	}

	private String write(double value, boolean beyond) {
		return (beyond ? "> " : "") + this.format.apply(value);
	}

}
