package io.leaderelection.benchmarks.peers.report;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import javax.imageio.ImageIO;

import io.leaderelection.benchmarks.peers.report.BarPlot.Bar;
import io.leaderelection.benchmarks.peers.report.GrowthPlot.Line;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class PlotTests {

	@TempDir
	private Path directory;

	@Test
	void equalFactorsAreEqualDistancesOnALogarithmicScale() {
		LogScale scale = LogScale.of(DoubleStream.of(0, 1, 1000), 100, 400);
		assertThat(scale.at(1)).isEqualTo(100);
		assertThat(scale.at(10)).isEqualTo(200);
		assertThat(scale.at(1000)).isEqualTo(400);
		assertThat(scale.at(0)).isEqualTo(100);
		assertThat(scale.ticks()).containsExactly(1.0, 10.0, 100.0, 1000.0);
	}

	@Test
	void aScaleOfNothingButZerosCanBeDrawn() {
		assertThat(LogScale.of(DoubleStream.of(0, 0), 0, 10).at(0)).isZero();
	}

	@Test
	void aLongerTimeHasALongerBar() throws IOException {
		Path file = this.directory.resolve("images/bars.png");
		new BarPlot("bars", Measure::number, List.of(bar(true, 1), bar(false, 1000))).write(file);
		BufferedImage image = ImageIO.read(file.toFile());
		assertThat(pixels(image, Canvas.PEERS)).isGreaterThan(10 * pixels(image, Canvas.OURS));
		assertThat(pixels(image, Canvas.OURS)).isPositive();
	}

	@Test
	void aPictureHasABackgroundOfItsOwn() throws IOException {
		Path file = this.directory.resolve("growth.png");
		new GrowthPlot("growth", List.of(new Line("ours", true, new TreeMap<>(Map.of(1, 2.0, 100, 2.0))),
				new Line("theirs", false, new TreeMap<>(Map.of(1, 2.0, 100, 200.0)))))
			.write(file);
		BufferedImage image = ImageIO.read(file.toFile());
		assertThat(image.getColorModel().hasAlpha()).isFalse();
		assertThat(pixels(image, Color.WHITE)).isGreaterThan(image.getWidth() * image.getHeight() / 2);
		assertThat(pixels(image, Canvas.OURS)).isPositive();
		assertThat(pixels(image, Canvas.PEERS)).isPositive();
	}

	private static Bar bar(boolean ours, double value) {
		return new Bar("somebody", ours, Statistics.of(SampleRuns.figures("m", value)), "figures");
	}

	private static long pixels(BufferedImage image, Color color) {
		return IntStream.range(0, image.getWidth() * image.getHeight())
			.filter((i) -> image.getRGB(i % image.getWidth(), i / image.getWidth()) == color.getRGB())
			.count();
	}

}
