package io.leaderelection.benchmarks.peers.report;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Where values go on a logarithmic axis.
 *
 * @param least the power of ten that it begins with
 * @param most the power of ten that it ends with
 * @param from where it begins, in pixels
 * @param to where it ends
 */
record LogScale(int least, int most, double from, double to) {

	/** A scale on which all those values are; zero and less are at its beginning. */
	static LogScale of(DoubleStream values, double from, double to) {
		double[] positive = values.filter((value) -> value > 0).toArray();
		if (positive.length == 0) {
			return new LogScale(0, 1, from, to);
		}
		int least = (int) Math.floor(Math.log10(DoubleStream.of(positive).min().orElseThrow()));
		int most = (int) Math.ceil(Math.log10(DoubleStream.of(positive).max().orElseThrow()));
		return new LogScale(least, Math.max(most, least + 1), from, to);
	}

	double at(double value) {
		double power = (value > 0) ? Math.log10(value) : this.least;
		double part = (Math.min(Math.max(power, this.least), this.most) - this.least) / (this.most - this.least);
		return this.from + part * (this.to - this.from);
	}

	List<Double> ticks() {
		return DoubleStream.iterate(this.least, (power) -> power <= this.most, (power) -> power + 1)
			.map((power) -> Math.pow(10, power))
			.boxed()
			.toList();
	}

}
