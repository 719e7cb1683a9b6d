package io.leaderelection.benchmarks.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * What was measured, one file of comma-separated values for each experiment. A new run
 * replaces what the same contestants had in the same experiment, and nothing else.
 */
public final class Results {

	private static final String HEADING = "contestant,measure,value,lease_ms,load,taken";

	private final Path directory;

	/**
	 * The results in a directory.
	 * @param directory where the files are, or will be
	 */
	public Results(Path directory) {
		this.directory = directory;
	}

	/**
	 * Reads what was measured.
	 * @param experiment the experiment
	 * @return the figures, none if it was never run
	 */
	public List<Figure> read(String experiment) throws IOException {
		Path file = file(experiment);
		if (!Files.exists(file)) {
			return List.of();
		}
		return Files.readAllLines(file).stream().skip(1).map(Figure::parse).toList();
	}

	/**
	 * Keeps what was measured.
	 * @param experiment the experiment
	 * @param contestants whose figures are replaced
	 * @param figures the new ones
	 */
	void replace(String experiment, Collection<Contestant> contestants, List<Figure> figures) throws IOException {
		List<Figure> all = new ArrayList<>(read(experiment));
		all.removeIf((figure) -> contestants.contains(figure.contestant()));
		all.addAll(figures);
		all.sort(Comparator.comparing(Figure::contestant));
		List<String> lines = new ArrayList<>(List.of(HEADING));
		all.forEach((figure) -> lines.add(figure.line()));
		Files.createDirectories(this.directory);
		Files.write(file(experiment), lines);
	}

	private Path file(String experiment) {
		return this.directory.resolve(experiment + ".csv");
	}

	/**
	 * One measured value.
	 *
	 * @param contestant whose
	 * @param measure what was measured, once or many times
	 * @param value the value
	 * @param beyond whether it is really more, and the run did not wait any longer
	 * @param lease of the run
	 * @param load of the machine during the last minute, the contestants' own included
	 * @param taken when
	 */
	public record Figure(Contestant contestant, String measure, double value, boolean beyond, Duration lease,
			double load, Instant taken) {

		static Figure parse(String line) {
			String[] parts = line.split(",");
			if (parts.length != 6) {
				throw new IllegalArgumentException(
						"Expected '%s', but read '%s': delete the file to measure anew".formatted(HEADING, line));
			}
			boolean beyond = parts[2].startsWith(">");
			return new Figure(Contestant.of(parts[0]), parts[1],
					Double.parseDouble(beyond ? parts[2].substring(1) : parts[2]), beyond,
					Duration.ofMillis(Long.parseLong(parts[3])), Double.parseDouble(parts[4]), Instant.parse(parts[5]));
		}

		String line() {
			return String.join(",", this.contestant.id(), this.measure, (this.beyond ? ">" : "") + this.value,
					Long.toString(this.lease.toMillis()), Double.toString(this.load),
					this.taken.truncatedTo(ChronoUnit.SECONDS).toString());
		}

	}

}
