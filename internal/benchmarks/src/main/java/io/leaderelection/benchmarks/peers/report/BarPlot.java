package io.leaderelection.benchmarks.peers.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/**
 * A bar for each contestant on a logarithmic scale, with what it is in figures, and a
 * thin line from the lowest value to the highest.
 *
 * @param title what is shown, with its unit
 * @param format writes a value of the scale in that unit
 * @param bars the bars, from top to bottom
 */
record BarPlot(String title, DoubleFunction<String> format, List<Bar> bars) {

	private static final int WIDTH = 820;

	private static final int LEFT = 230;

	private static final int RIGHT = 620;

	private static final int TOP = 44;

	private static final int ROW = 28;

	void write(Path file) throws IOException {
		int bottom = TOP + this.bars.size() * ROW;
		Canvas canvas = new Canvas(WIDTH, bottom + 36, this.title);
		LogScale scale = LogScale.of(
				this.bars.stream()
					.map(Bar::statistics)
					.flatMapToDouble((statistics) -> DoubleStream.of(statistics.lowest(), statistics.highest())),
				LEFT, RIGHT);
		for (double tick : scale.ticks()) {
			canvas.line(Canvas.FAINT, 1, scale.at(tick), TOP, scale.at(tick), bottom);
			canvas.text(Canvas.INK, this.format.apply(tick), scale.at(tick) - 4, bottom + 18);
		}
		for (int i = 0; i < this.bars.size(); i++) {
			draw(canvas, scale, this.bars.get(i), TOP + i * ROW);
		}
		canvas.write(file);
	}

	private static void draw(Canvas canvas, LogScale scale, Bar bar, int top) {
		Statistics statistics = bar.statistics();
		Color color = bar.ours() ? Canvas.OURS : Canvas.PEERS;
		double middle = top + ROW / 2.0;
		canvas.textEndingAt(Canvas.INK, bar.label(), LEFT - 10, middle + 4);
		// what is zero has no place on this scale, and gets a mark
		canvas.fill(color, LEFT, top + 6, Math.max(2, scale.at(statistics.median()) - LEFT), ROW - 12);
		canvas.line(Canvas.INK, 1, scale.at(statistics.lowest()), middle, scale.at(statistics.highest()), middle);
		canvas.text(Canvas.INK, bar.figures(), scale.at(statistics.highest()) + 8, middle + 4);
	}

	/**
	 * One contestant.
	 *
	 * @param label who
	 * @param ours whether it is this project
	 * @param statistics how long the bar is
	 * @param figures the same in figures
	 */
	record Bar(String label, boolean ours, Statistics statistics, String figures) {
	}

}
