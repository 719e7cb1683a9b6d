package io.leaderelection.benchmarks.peers;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OptionsTests {

	@Test
	void everythingIsRunByDefault() {
		Options options = Options.parse();
		assertThat(options.experiments()).containsExactly(ExperimentKind.values());
		assertThat(options.contestants()).containsExactly(Contestant.values());
		assertThat(options.lease()).isEqualTo(Duration.ofSeconds(10));
		assertThat(options.rounds()).isEqualTo(20);
		assertThat(options.resume()).isFalse();
	}

	@Test
	void aPartIsRunOnDemand() {
		Options options = Options.parse("--only", "crash,idle", "--contestant", "ours-redis,curator", "--lease", "2s",
				"--rounds", "3", "--elections", "100", "--resume");
		assertThat(options.experiments()).containsExactly(ExperimentKind.CRASH, ExperimentKind.IDLE);
		assertThat(options.contestants()).containsExactly(Contestant.OURS_REDIS, Contestant.CURATOR);
		assertThat(options.lease()).isEqualTo(Duration.ofSeconds(2));
		assertThat(options.rounds()).isEqualTo(3);
		assertThat(options.mostElections()).isEqualTo(100);
		assertThat(options.resume()).isTrue();
	}

	@Test
	void noExperimentWritesThePageOnly() {
		assertThat(Options.parse("--only", "none").experiments()).isEmpty();
	}

	@Test
	void whatDoesNotExistIsNamedWithWhatDoes() {
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--only", "ghost"))
			.withMessageContaining("'ghost'")
			.withMessageContaining("cut-off");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--contestant", "ghost"))
			.withMessageContaining("'ghost'")
			.withMessageContaining("ours-redis");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--ghost", "1"))
			.withMessageContaining("'--ghost'");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--rounds", "0"))
			.withMessageContaining("--rounds must be 1 at least");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--lease"))
			.withMessageContaining("'--lease'");
	}

}
