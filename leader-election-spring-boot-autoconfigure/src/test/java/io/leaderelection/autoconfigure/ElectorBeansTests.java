package io.leaderelection.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.annotation.LeaderOnly;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How the elections of an application are declared and injected.
 */
class ElectorBeansTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class))
		.withPropertyValues("leader-election.backend=local", "leader-election.auto-startup=false");

	private final ApplicationContextRunner withTwo = this.application
		.withPropertyValues("leader-election.elections.reports.lease-duration=5s", "leader-election.elections.mails=");

	@Test
	void withoutDeclarationThereIsADefaultElection() {
		this.application.run((context) -> {
			assertThat(context.getBean(LeaderElector.class).election()).isEqualTo("default");
			assertThat(names(context.getBean(LeaderElections.class))).containsExactly("default");
		});
	}

	@Test
	void aSingleElectionIsInjectedByType() {
		this.application.withPropertyValues("leader-election.elections.reports=")
			.run((context) -> assertThat(context.getBean(LeaderElector.class).election()).isEqualTo("reports"));
	}

	@Test
	void inYamlAnElectionMayHaveNoValueButAnEmptyMapIsNoneBeforeSpringBoot41() throws IOException {
		boolean losesEmptyMaps = SpringBootVersion.getVersion().startsWith("4.0.");
		assertThat(declaredIn("leader-election: { elections: { reports: } }")).containsExactly("reports");
		assertThat(declaredIn("leader-election: { elections: { reports: {} } }"))
			.containsExactly(losesEmptyMaps ? "default" : "reports");
	}

	private List<String> declaredIn(String yaml) throws IOException {
		PropertySource<?> source = new YamlPropertySourceLoader()
			.load("yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
			.get(0);
		List<String> declared = new ArrayList<>();
		this.application.withInitializer((context) -> context.getEnvironment().getPropertySources().addLast(source))
			.run((context) -> declared.addAll(names(context.getBean(LeaderElections.class))));
		return declared;
	}

	@Test
	void everyDeclaredElectionIsMadeAtOnce() {
		this.withTwo.run((context) -> assertThat(names(context.getBean(LeaderElections.class)))
			.containsExactlyInAnyOrder("reports", "mails"));
	}

	@Test
	void everyDeclaredElectionIsMadeAtOnceAlsoWithLazyInitialization() {
		this.withTwo
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				assertThat(context.getBeanFactory().containsSingleton("leaderElections")).isTrue();
				assertThat(names(context.getBean(LeaderElections.class))).containsExactlyInAnyOrder("reports", "mails");
			});
	}

	@Test
	void electionsAreInjectedByQualifierAndByParameterName() {
		this.withTwo.withUserConfiguration(ParameterNames.class, Qualifiers.class).run((context) -> {
			assertThat(context.getBean("byParameterName")).isEqualTo("reports, mails");
			assertThat(context.getBean("byQualifier")).isEqualTo("reports, mails");
		});
	}

	@Test
	void anElectionThatOnlyAnAnnotationNamesIsInjectedByQualifier() {
		this.application.withPropertyValues("nightly=closing", "spring.main.lazy-initialization=true")
			.withUserConfiguration(Annotated.class)
			.run((context) -> assertThat(context.getBean("injected"))
				.isEqualTo("payouts, closing, mails, letters, default"));
	}

	@Test
	void theElectorOfAnAnnotationIsThatOfTheRegistryAndOfItsDeclaration() {
		this.application.withPropertyValues("nightly=closing", "leader-election.elections.payouts.lease-duration=5s")
			.withUserConfiguration(Annotated.class)
			.run((context) -> {
				LeaderElections elections = context.getBean(LeaderElections.class);
				assertThat(context).getBeanNames(LeaderElector.class)
					.containsExactlyInAnyOrder("payoutsLeaderElector", "closingLeaderElector", "mailsLeaderElector",
							"lettersLeaderElector");
				assertThat(context.getBean("injected")).isEqualTo("payouts, closing, mails, letters, payouts");
				assertThat(context.getBean("payoutsLeaderElector"))
					.isSameAs(elections.elector("payouts", ElectionSettings.ofLease(Duration.ofSeconds(5))));
			});
	}

	@Test
	void anElectionThatAnExpressionNamesHasNoBean() {
		this.application.withPropertyValues("nightly=closing")
			.withUserConfiguration(Annotated.class)
			.run((context) -> assertThat(context.getBeanNamesForType(LeaderElector.class))
				.noneMatch((name) -> name.contains("tenant")));
	}

	@Test
	void theBeansAreTheElectorsOfTheRegistry() {
		this.withTwo
			.run((context) -> assertThat(context.getBean("reports")).isSameAs(context.getBean("reportsLeaderElector"))
				.isSameAs(context.getBean(LeaderElections.class).find("reports").orElseThrow()));
	}

	@Test
	void severalElectionsAreNotInjectedByTypeAlone() {
		this.withTwo.run((context) -> assertThatExceptionOfType(NoUniqueBeanDefinitionException.class)
			.isThrownBy(() -> context.getBean(LeaderElector.class))
			.withMessageContaining("reportsLeaderElector"));
	}

	@Test
	void anotherBeanMayHaveTheNameOfAnElection() {
		this.withTwo.withUserConfiguration(Reports.class, Qualifiers.class).run((context) -> {
			assertThat(context.getBean("reports")).isInstanceOf(Reports.class);
			assertThat(context.getBean("byQualifier")).isEqualTo("reports, mails");
		});
	}

	@Test
	void anElectorOfTheApplicationGoesBeforeADeclaredOne() {
		this.withTwo.withUserConfiguration(OwnReportsElector.class).run((context) -> {
			assertThat(context).getBeanNames(LeaderElector.class)
				.containsExactlyInAnyOrder("reports", "mailsLeaderElector");
			assertThat(context.getBean("reports", LeaderElector.class).election()).isEqualTo("own");
		});
	}

	@Test
	void whoDefinesAnElectorNeedsNoDefaultElection() {
		this.application.withUserConfiguration(OwnReportsElector.class)
			.run((context) -> assertThat(names(context.getBean(LeaderElections.class))).containsExactly("own"));
	}

	@Test
	void electionsOfTheApplicationGetTheDeclaredElectors() {
		this.withTwo.withUserConfiguration(OwnElections.class).run((context) -> {
			assertThat(context).hasSingleBean(LeaderElections.class);
			assertThat(names(context.getBean(LeaderElections.class))).containsExactlyInAnyOrder("reports", "mails");
			assertThat(context.getBean("mails", LeaderElector.class).status().nodeId()).isEqualTo("own");
		});
	}

	@Test
	void namesWithOddCharactersAreWrittenInBrackets() {
		this.application
			.withPropertyValues("leader-election.elections[a/b c.d].lease-duration=5s",
					"leader-election.elections[&amp].lease-duration=5s")
			.withUserConfiguration(OddQualifier.class)
			.run((context) -> {
				assertThat(names(context.getBean(LeaderElections.class))).containsExactlyInAnyOrder("a/b c.d", "&amp");
				assertThat(context.getBean("odd")).isEqualTo("a/b c.d, &amp");
			});
	}

	@Test
	void capitalsStayAsTheyAre() {
		this.application.withPropertyValues("leader-election.elections.nightlyReports=")
			.run((context) -> assertThat(names(context.getBean(LeaderElections.class)))
				.containsExactly("nightlyReports"));
	}

	@Test
	void theNodeIsNamedAfterItsHostAndARandomPart() {
		this.application.withPropertyValues("HOSTNAME=pod-7").run((context) -> {
			String nodeId = context.getBean(LeaderElections.class).nodeId();
			assertThat(nodeId).matches("pod-7-[0-9a-z]{5}");
			this.application.withPropertyValues("HOSTNAME=pod-7")
				.run((other) -> assertThat(other.getBean(LeaderElections.class).nodeId()).startsWith("pod-7-")
					.isNotEqualTo(nodeId));
		});
	}

	@Test
	void aHostNameThatIsTooLongIsCut() {
		this.application.withPropertyValues("HOSTNAME=" + "x".repeat(253))
			.run((context) -> assertThat(context.getBean(LeaderElections.class).nodeId()).startsWith("xxx")
				.matches("x+-[0-9a-z]{5}"));
	}

	@Test
	void theNodeHasTheIdThatIsConfigured() {
		this.application.withPropertyValues("leader-election.node-id=node-1")
			.run((context) -> assertThat(context.getBean(LeaderElections.class).nodeId()).isEqualTo("node-1"));
	}

	@Test
	void customizersChangeDeclaredElectionsAndThoseMadeLater() {
		this.withTwo.withUserConfiguration(Customizers.class).run((context) -> {
			LeaderElections elections = context.getBean(LeaderElections.class);
			elections.elector("later");
			ElectionSettings expected = ElectionSettings.ofLease(Duration.ofSeconds(42));
			for (String election : List.of("reports", "mails", "later")) {
				// asking with other settings than it has would be refused
				assertThat(elections.elector(election, expected)).isSameAs(elections.find(election).orElseThrow());
			}
		});
	}

	@Test
	void aCustomizerThatMakesSettingsImpossibleIsNamed() {
		this.withTwo.withUserConfiguration(BadCustomizer.class)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining("The settings of the election 'reports' cannot work: "
						+ "renewInterval (1m) must be shorter than leaseDuration (5s)")
				.hasStackTraceContaining(BadCustomizer.class.getName()));
	}

	private static List<String> names(LeaderElections elections) {
		return elections.electors().stream().map(LeaderElector::election).toList();
	}

	@Configuration(proxyBeanMethods = false)
	static class ParameterNames {

		@Bean
		String byParameterName(LeaderElector reports, LeaderElector mailsLeaderElector) {
			return reports.election() + ", " + mailsLeaderElector.election();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Annotated {

		@Bean
		Payouts payouts() {
			return new Payouts();
		}

		@Bean
		@LeaderOnly("letters")
		Letters letters() {
			return new Letters();
		}

		@Bean
		String injected(@Qualifier("payouts") LeaderElector payouts, @Qualifier("closing") LeaderElector closing,
				@Qualifier("mails") LeaderElector mails, @Qualifier("letters") LeaderElector letters,
				LeaderElector unnamed) {
			return Stream.of(payouts, closing, mails, letters, unnamed)
				.map(LeaderElector::election)
				.collect(Collectors.joining(", "));
		}

	}

	static class Letters implements Lifecycle {

		@Override
		public void start() {
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

	}

	@LeaderOnly("mails")
	interface Mails {

	}

	static class Payouts implements Mails {

		@LeaderOnly("payouts")
		void pay() {
		}

		@LeaderOnly("${nightly}")
		void close() {
		}

		@LeaderOnly("tenant-#{#tenant}")
		void bill(String tenant) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Qualifiers {

		@Bean
		String byQualifier(@Qualifier("reports") LeaderElector one, @Qualifier("mails") Optional<LeaderElector> other) {
			return one.election() + ", " + other.orElseThrow().election();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OddQualifier {

		@Bean
		String odd(@Qualifier("a/b c.d") LeaderElector one, @Qualifier("&amp") LeaderElector other) {
			return one.election() + ", " + other.election();
		}

	}

	@Configuration(value = "reports", proxyBeanMethods = false)
	static class Reports {

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnReportsElector {

		@Bean
		LeaderElector reports(LeaderElections elections) {
			return elections.elector("own");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnElections {

		@Bean
		LeaderElections ownElections() {
			return LeaderElections.on(new InMemoryLeaseStore()).nodeId("own").build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		@Bean
		ElectionSettingsCustomizer customizer() {
			return (election, settings) -> settings.leaseDuration(Duration.ofSeconds(42));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BadCustomizer implements ElectionSettingsCustomizer {

		@Override
		public void customize(String election, ElectionSettings.Builder settings) {
			settings.renewInterval(Duration.ofMinutes(1));
		}

	}

}
