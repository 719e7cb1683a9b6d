package io.leaderelection.benchmarks.peers;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The shortest run that there is, with a real node on a real store.
 */
class PeersTests {

	@TempDir
	private Path docs;

	@Test
	void aRunKeepsItsFiguresAndWritesThePage() throws Exception {
		Options options = Options.parse("--only", "many", "--contestant", "ours-redis", "--elections", "1", "--lease",
				"2s", "--docs", this.docs.toString());
		assertThat(Peers.run(options)).isTrue();
		assertThat(new Results(this.docs.resolve("benchmarks-peers")).read("many"))
			.filteredOn((figure) -> figure.measure().equals("led-1"))
			.singleElement()
			.satisfies((figure) -> assertThat(figure.value()).isEqualTo(1));
		assertThat(this.docs.resolve("benchmarks-peers.md")).content().contains("One node, many elections");
		assertThat(this.docs.resolve("images/peers-threads.png")).isNotEmptyFile();
	}

}
