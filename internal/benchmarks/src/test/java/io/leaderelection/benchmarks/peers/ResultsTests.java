package io.leaderelection.benchmarks.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.leaderelection.benchmarks.peers.Results.Figure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ResultsTests {

	private static final Instant NOW = Instant.parse("2026-11-17T08:00:00Z");

	@TempDir
	private Path directory;

	@Test
	void whatIsKeptIsReadAgain() throws IOException {
		Results results = new Results(this.directory);
		List<Figure> figures = List.of(figure(Contestant.OURS_REDIS, 1.5, false),
				figure(Contestant.REDISSON, 80_000, true));
		results.replace("crash", List.of(Contestant.OURS_REDIS, Contestant.REDISSON), figures);
		assertThat(new Results(this.directory).read("crash")).isEqualTo(figures);
	}

	@Test
	void anExperimentThatWasNeverMadeHasNoFigures() throws IOException {
		assertThat(new Results(this.directory).read("crash")).isEmpty();
	}

	@Test
	void aNewRunReplacesItsOwnContestantsOnly() throws IOException {
		Results results = new Results(this.directory);
		Figure kept = figure(Contestant.CURATOR, 2, false);
		results.replace("crash", List.of(Contestant.OURS_REDIS, Contestant.CURATOR),
				List.of(figure(Contestant.OURS_REDIS, 1, false), kept));
		Figure anew = figure(Contestant.OURS_REDIS, 3, false);
		results.replace("crash", List.of(Contestant.OURS_REDIS), List.of(anew));
		assertThat(results.read("crash")).containsExactly(anew, kept);
	}

	@Test
	void aFileThatCannotBeReadIsNamed() throws IOException {
		Files.writeString(this.directory.resolve("crash.csv"), "contestant\nours-redis,1\n");
		assertThatIllegalArgumentException().isThrownBy(() -> new Results(this.directory).read("crash"))
			.withMessageContaining("'ours-redis,1'");
	}

	private static Figure figure(Contestant contestant, double value, boolean beyond) {
		return new Figure(contestant, "next", value, beyond, Duration.ofSeconds(10), 1.5, NOW);
	}

}
