package io.leaderelection.benchmarks.peers.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.DoubleStream;

import io.leaderelection.benchmarks.peers.Contestant;
import io.leaderelection.benchmarks.peers.Results.Figure;

/**
 * Figures for tests, of this project on Redis unless somebody else is named.
 */
final class SampleRuns {

	private SampleRuns() {
	}

	static List<Figure> figures(String measure, double... values) {
		return DoubleStream.of(values).mapToObj((value) -> figure(measure, value)).toList();
	}

	static Figure figure(String measure, double value) {
		return figure(Contestant.OURS_REDIS, measure, value);
	}

	static Figure figure(Contestant contestant, String measure, double value) {
		return new Figure(contestant, measure, value, false, Duration.ofSeconds(10), 1, Instant.EPOCH);
	}

	static Figure beyond(String measure, double value) {
		return new Figure(Contestant.OURS_REDIS, measure, value, true, Duration.ofSeconds(10), 1, Instant.EPOCH);
	}

}
