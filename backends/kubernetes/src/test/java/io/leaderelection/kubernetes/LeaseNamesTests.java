package io.leaderelection.kubernetes;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Leases are called.
 */
class LeaseNamesTests {

	private final LeaseNames names = new LeaseNames("app");

	@Test
	void aNameThatKubernetesAllowsIsKept() {
		assertThat(this.names.of("reports")).isEqualTo("app.reports");
		assertThat(this.names.of("2nd-level-reports")).isEqualTo("app.2nd-level-reports");
	}

	@Test
	void anyOtherStaysReadable() {
		assertThat(this.names.of("Monthly Reports")).matches("app\\.monthly-reports\\.[0-9a-f]{20}");
		assertThat(this.names.of("漢字")).matches("app\\.x\\.[0-9a-f]{20}");
	}

	@Test
	void noTwoElectionsHaveOneLease() {
		List<String> elections = List.of("reports", "Reports", "reports ", "-reports", "re.ports", "re-ports", "x",
				"漢字", "字漢", "", "r".repeat(63), "r".repeat(64), "r".repeat(65), "R".repeat(64));
		Set<String> distinct = new HashSet<>();
		Stream.of("app", "app-2", "2").map(LeaseNames::new).forEach((some) -> {
			elections.forEach((election) -> assertThat(distinct.add(some.of(election))).as(election).isTrue());
			assertThat(distinct.add(some.candidates())).isTrue();
		});
		assertThat(distinct).allSatisfy(
				(name) -> assertThat(name).matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
					.hasSizeLessThan(253));
	}

	@Test
	void anElectionIsFoundByItsLease() {
		String name = this.names.of("Monthly Reports");
		assertThat(this.names.electionOf(name)).contains("Monthly Reports");
		assertThat(this.names.electionOf("app.unheard-of")).isEmpty();
	}

}
