package io.leaderelection.annotation;

import java.util.List;

import io.leaderelection.LeaderElections;
import io.leaderelection.NotLeaderException;
import io.leaderelection.annotation.LeaderOnlyTests.Reports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Which election a guarded method means.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class NamedElectionsTests {

	@Test
	void aPlaceholderNamesTheElection() {
		Application.of(Named.class)
			.with("reports.election=reports", "leader-election.elections.reports=", "leader-election.elections.mails=")
			.follows("reports", (context) -> {
				assertThatExceptionOfType(NotLeaderException.class)
					.isThrownBy(context.getBean(Named.class)::placeholder)
					.withMessageContaining("'reports'");
				assertThat(context.getBean(LeaderElections.class).find("constant-reports")).isPresent();
			});
	}

	@Test
	void argumentsNameTheElection() {
		Application.of(Named.class).with("reports.election=reports").follows("tenant-a", (context) -> {
			Named named = context.getBean(Named.class);
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> named.argument("a"))
				.withMessageContaining("'tenant-a'");
			await().ignoreException(NotLeaderException.class).until(() -> "b".equals(named.argument("b")));
			assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> named.argument("a"));
			await().ignoreException(NotLeaderException.class).until(() -> "b".equals(named.position("b")));
		});
	}

	@Test
	void argumentsNameNoMoreElectionsThanTheLimit(CapturedOutput output) {
		Application.of(Named.class)
			.with("reports.election=reports", "leader-election.elections.tenant-declared=",
					"leader-election.leader-only.max-dynamic-elections=2")
			.leads((context) -> {
				Named named = context.getBean(Named.class);
				for (String tenant : List.of("a", "b", "declared", "a")) {
					await().ignoreException(NotLeaderException.class)
						.until(() -> tenant.equals(named.argument(tenant)));
				}
				for (String tenant : List.of("c", "d")) {
					assertThatIllegalStateException().isThrownBy(() -> named.argument(tenant))
						.withMessageContaining("The election 'tenant-%s' is rejected".formatted(tenant))
						.withMessageContaining("leader-election.leader-only.max-dynamic-elections=2")
						.withMessageContaining("Increase the property");
				}
				assertThat(named.argument("b")).isEqualTo("b");
				LeaderElections elections = context.getBean(LeaderElections.class);
				assertThat(elections.find("tenant-c")).isEmpty();
				elections.elector("tenant-c");
				await().ignoreException(NotLeaderException.class).until(() -> "c".equals(named.argument("c")));
				assertThat(output.getAll().split("WARN.*is rejected", -1)).hasSize(2);
			});
	}

	@Test
	void anElectionThatIsNotDeclaredIsStoodForFromTheStart() {
		Application.of(Undeclared.class)
			.leads((context) -> assertThat(context.getBean(LeaderElections.class).find("undeclared")).isPresent());
	}

	@Test
	void alsoForABeanThatIsMadeLater() {
		Application.of(Undeclared.class)
			.with("spring.main.lazy-initialization=true")
			.leads((context) -> assertThat(context.getBean(LeaderElections.class).find("undeclared")).isPresent());
	}

	@Test
	void withoutANameTheOnlyElectionIsMeant() {
		Application.of(Reports.class)
			.with("leader-election.elections.only=")
			.follows("only",
					(context) -> assertThatExceptionOfType(NotLeaderException.class)
						.isThrownBy(() -> context.getBean(Reports.class).read("a"))
						.withMessageContaining("'only'"));
	}

	static class Named {

		@LeaderOnly("${reports.election}")
		String placeholder() {
			return "done";
		}

		@LeaderOnly("#{'constant-' + environment.getProperty('reports.election')}")
		void constant() {
		}

		@LeaderOnly("tenant-#{#tenant}")
		String argument(String tenant) {
			return tenant;
		}

		@LeaderOnly("#{'tenant-' + #p0}")
		String position(String tenant) {
			return tenant;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Undeclared {

		@Bean
		@Lazy
		Lazybones lazybones() {
			return new Lazybones();
		}

	}

	static class Lazybones {

		@LeaderOnly("undeclared")
		void work() {
		}

	}

}
