package io.leaderelection.benchmarks.peers.report;

import java.util.Arrays;
import java.util.List;

import io.leaderelection.benchmarks.peers.Results.Figure;

/**
 * What is said of some measured values.
 *
 * @param count how many there are
 * @param lowest the lowest
 * @param median the one in the middle; between the two in the middle if there are two
 * @param highest the highest
 * @param medianBeyond whether the median is one that nobody waited for
 * @param highestBeyond whether the highest is one that nobody waited for
 */
record Statistics(int count, double lowest, double median, double highest, boolean medianBeyond,
		boolean highestBeyond) {

	static Statistics of(List<Figure> figures) {
		if (figures.isEmpty()) {
			throw new IllegalArgumentException("There is nothing to say of no values");
		}
		double[] values = figures.stream().mapToDouble(Figure::value).sorted().toArray();
		double median = median(values);
		double leastBeyond = figures.stream()
			.filter(Figure::beyond)
			.mapToDouble(Figure::value)
			.min()
			.orElse(Double.POSITIVE_INFINITY);
		return new Statistics(values.length, values[0], median, values[values.length - 1], median >= leastBeyond,
				values[values.length - 1] >= leastBeyond);
	}

	boolean spans(double value) {
		return this.lowest <= value && value <= this.highest;
	}

	private static double median(double[] sorted) {
		int middle = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[middle] : Arrays.stream(sorted, middle - 1, middle + 1).sum() / 2;
	}

}
