package io.leaderelection.benchmarks.peers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.leaderelection.benchmarks.peers.EmulatedProcessor.Counts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@EnabledIf("io.leaderelection.benchmarks.peers.EmulatedProcessor#isPossible")
class EmulatedProcessorTests {

	private static final String READY = "echo '@ READY 1 1'";

	@TempDir
	private Path directory;

	@Test
	void countsWhatIsExecutedUntilAProcessIsReady() throws Exception {
		Counts little = count(READY);
		Counts more = count("i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); done; " + READY);
		assertThat(little.main()).isPositive().isLessThanOrEqualTo(little.all());
		assertThat(more.main()).isGreaterThan(little.main() + 1000);
	}

	@Test
	void countsNothingAfterThat() throws Exception {
		Counts little = count(READY);
		Counts more = count(READY + "; i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); done");
		assertThat(more.all()).isLessThan(little.all() + little.all() / 10);
	}

	private Counts count(String script) throws Exception {
		Path counts = this.directory.resolve("counts");
		List<String> command = new ArrayList<>(EmulatedProcessor.in(this.directory).launcher(counts));
		command.addAll(List.of("/bin/sh", "-c", script));
		assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
		return EmulatedProcessor.read(counts);
	}

}
