package io.leaderelection.benchmarks.peers.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;

/**
 * A line for each contestant, of how something grows with the number of elections. Both
 * scales are logarithmic.
 *
 * @param title what grows, with its unit
 * @param lines the lines
 */
record GrowthPlot(String title, List<Line> lines) {

	private static final int WIDTH = 820;

	private static final int HEIGHT = 420;

	private static final int LEFT = 70;

	private static final int RIGHT = 560;

	private static final int TOP = 50;

	private static final int BOTTOM = HEIGHT - 44;

	/** Labels closer than that could not be read. */
	private static final int LINE_HEIGHT = 16;

	void write(Path file) throws IOException {
		Canvas canvas = new Canvas(WIDTH, HEIGHT, this.title);
		LogScale across = LogScale.of(this.lines.stream()
			.flatMap((line) -> line.points().keySet().stream())
			.mapToDouble(Integer::doubleValue), LEFT, RIGHT);
		LogScale up = LogScale.of(
				this.lines.stream().flatMap((line) -> line.points().values().stream()).mapToDouble(Double::doubleValue),
				BOTTOM, TOP);
		for (double tick : across.ticks()) {
			canvas.line(Canvas.FAINT, 1, across.at(tick), TOP, across.at(tick), BOTTOM);
			canvas.text(Canvas.INK, Measure.number(tick), across.at(tick) - 4, BOTTOM + 18);
		}
		for (double tick : up.ticks()) {
			canvas.line(Canvas.FAINT, 1, LEFT, up.at(tick), RIGHT, up.at(tick));
			canvas.textEndingAt(Canvas.INK, Measure.number(tick), LEFT - 8, up.at(tick) + 4);
		}
		canvas.text(Canvas.INK, "elections", RIGHT - 50, BOTTOM + 34);
		this.lines.forEach((line) -> draw(canvas, across, up, line));
		label(canvas, up);
		canvas.write(file);
	}

	private static void draw(Canvas canvas, LogScale across, LogScale up, Line line) {
		Color color = line.color();
		Integer before = null;
		for (Integer elections : line.points().keySet()) {
			double x = across.at(elections);
			double y = up.at(line.points().get(elections));
			canvas.dot(color, x, y);
			if (before != null) {
				canvas.line(color, 2, across.at(before), up.at(line.points().get(before)), x, y);
			}
			before = elections;
		}
	}

	private void label(Canvas canvas, LogScale up) {
		List<Line> byHeight = new ArrayList<>(this.lines);
		byHeight.sort(Comparator.comparingDouble((line) -> -line.last()));
		double lowest = TOP - LINE_HEIGHT;
		for (Line line : byHeight) {
			double y = Math.max(up.at(line.last()), lowest + LINE_HEIGHT);
			canvas.text(line.color(), "%s: %s".formatted(line.label(), Measure.number(line.last())), RIGHT + 14, y + 4);
			lowest = y;
		}
	}

	/**
	 * One contestant.
	 *
	 * @param label who
	 * @param ours whether it is this project
	 * @param points how much at how many elections, one at least
	 */
	record Line(String label, boolean ours, SortedMap<Integer, Double> points) {

		private Color color() {
			return this.ours ? Canvas.OURS : Canvas.PEERS;
		}

		private double last() {
			return this.points.get(this.points.lastKey());
		}

	}

}
