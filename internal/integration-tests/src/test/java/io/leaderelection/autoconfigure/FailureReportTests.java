package io.leaderelection.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.etcd.jetcd.Client;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.annotation.LeaderOnly;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.etcd.EtcdLeaderElectionAutoConfiguration;
import io.leaderelection.jdbc.JdbcLeaderElectionAutoConfiguration;
import io.leaderelection.redis.RedisLeaderElectionAutoConfiguration;
import io.leaderelection.servers.RedisServer;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.zookeeper.ZooKeeperLeaderElectionAutoConfiguration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What a user reads on the console after a mistake in the configuration.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailureReportTests {

	@TempDir
	private Path directory;

	@Test
	void noBackend(CapturedOutput output) {
		assertFails("leader-election.node-id: node-1");
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Leader election has no backend, since none is possible:",
				"- redis: there is no RedisConnectionFactory bean", "\tleader-election.backend=local",
				"\tleader-election.enabled=false");
	}

	@Test
	void anImpossibleBackend(CapturedOutput output) {
		assertFails("leader-election.backend: jdbc");
		assertThat(output).contains("leader-election.backend is jdbc, but there is no DataSource bean.",
				"Define a DataSource bean. Or change leader-election.backend.");
	}

	@Test
	void anUnknownBackend(CapturedOutput output) {
		assertFails("leader-election.backend: mongo");
		assertThat(output).contains(
				"leader-election.backend is mongo, but no backend of this name is on the class path.",
				"Change leader-election.backend to one of: dynamodb, etcd, jdbc, kubernetes, local, redis, zookeeper.");
	}

	@Test
	void durationsThatCannotWorkTogether(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: local
				  elections:
				    reports:
				      lease-duration: 10s
				      renew-interval: 10s
				""");
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Invalid value '10s' for configuration property 'leader-election.elections.reports.renew-interval'",
				"application.yml] - 6:23",
				"leader-election.elections.reports.renew-interval (10s) must be shorter than "
						+ "leader-election.elections.reports.lease-duration (10s).");
	}

	@Test
	void aLeaseWithoutItsUnit(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: local
				  lease-duration: 10
				""");
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Invalid value '10' for configuration property 'leader-election.lease-duration'",
				"write 10s for ten seconds");
	}

	@Test
	void anElectorOfAnUndeclaredElection(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: local
				  elections:
				    mails:
				    nightly:
				""", SendsLetters.class);
		assertThat(output).contains("APPLICATION FAILED TO START",
				"The bean 'letters' requires the LeaderElector of the election 'letters', which is not declared.",
				"Declared elections: 'mails', 'nightly'.", "\tleader-election.elections.letters=");
	}

	@Test
	void anElectorWithoutLeaderElection(CapturedOutput output) {
		assertFails("leader-election.enabled: false", SendsLetters.class);
		assertThat(output).contains("APPLICATION FAILED TO START",
				"The bean 'letters' requires the LeaderElector of the election 'letters', but leader election is not "
						+ "enabled.",
				"Set leader-election.enabled=true");
	}

	@Test
	void anElectorAmongSeveralIsExplainedBySpringBoot(CapturedOutput output) {
		assertFails("leader-election: { backend: local, elections: { mails: , letters: } }", SendsAnything.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "required a single bean, but 2 were found",
				"lettersLeaderElector");
	}

	@Test
	void aNegativeLimitOfDynamicElections(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: local
				  leader-only:
				    max-dynamic-elections: -1
				""");
		assertThat(output).contains("APPLICATION FAILED TO START", "leader-election.leader-only.max-dynamic-elections",
				"\"-1\"", "Must not be negative");
	}

	@Test
	void aPropertyOfAnElectionThatDoesNotExist(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: local
				  elections:
				    reports:
				      lease-time: 10s
				""");
		assertThat(output).contains("APPLICATION FAILED TO START", "leader-election.elections.reports.lease-time",
				"application.yml] - 5:19", "An election has no such property.");
	}

	@Test
	void aMisspeltProperty(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: local
				  lease-duraton: 5s
				""");
		assertThat(output).contains("APPLICATION FAILED TO START", "leader-election.lease-duraton is set (",
				"application.yml] - 3:18", "there is no such property",
				"Below leader-election there are: auto-startup,", " lease-duration,", " redis,");
	}

	@Test
	void aMisspeltPropertyOfAGroupWhoseValueIsNobodysBusiness(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: local
				  etcd:
				    pasword: guess-me
				""");
		assertThat(output)
			.contains("APPLICATION FAILED TO START", "leader-election.etcd.pasword is set (",
					"Below leader-election.etcd there are: connect-timeout, endpoints, password, prefix, ssl, user.")
			.doesNotContain("guess-me");
	}

	@Test
	void somethingBelowAPropertyThatHasNothingBelow(CapturedOutput output) {
		assertFails("leader-election.backend.type: local");
		assertThat(output).contains("APPLICATION FAILED TO START", "leader-election.backend.type is set (",
				"Below leader-election there are:");
	}

	@Test
	void aValueInPlaceOfAGroup(CapturedOutput output) {
		assertFails("leader-election: { backend: local, redis: localhost }");
		assertThat(output).contains("APPLICATION FAILED TO START", "leader-election.redis is set (",
				"there is no such property");
	}

	@Test
	void aDotInTheNameOfAnElection(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: local
				  elections:
				    a.b:
				      lease-duration: 10s
				""");
		assertThat(output).contains("APPLICATION FAILED TO START", "leader-election.elections.a.b.lease-duration",
				"write the name in brackets");
	}

	@Test
	void aListOfElections(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: local
				  elections:
				    - reports
				""");
		assertThat(output).contains("APPLICATION FAILED TO START", "An election has properties of its own",
				"not 'reports'");
	}

	@Test
	void aNodeIdWithAPlaceholderThatNobodyKnows(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: local
				  node-id: ${NO_SUCH_VARIABLE}
				""");
		assertThat(output).contains("APPLICATION FAILED TO START", "leader-election.node-id", "${NO_SUCH_VARIABLE}",
				"placeholder that could not be resolved");
	}

	@Test
	void aNodeIdThatIsBlank(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: local
				  node-id: "${NO_SUCH_VARIABLE:}"
				""");
		assertThat(output).contains("APPLICATION FAILED TO START", "leader-election.node-id must not be blank",
				"Leave it out");
	}

	@Test
	void aNameOfAnElectionThatIsTooLong(CapturedOutput output) {
		assertFails("leader-election: { backend: local, elections: { %s: } }".formatted("x".repeat(201)));
		assertThat(output).contains("APPLICATION FAILED TO START",
				"The name of an election must have at most 200 characters, but has 201.");
	}

	@Test
	void aCustomizerThatGoesWrong(CapturedOutput output) {
		assertFails("leader-election.backend: local", BadCustomizer.class);
		assertThat(output).contains("APPLICATION FAILED TO START",
				"The settings of the election 'default' cannot work: callTimeout (1m) must be at most a third",
				"Correct the ElectionSettingsCustomizer");
	}

	@Test
	void aMethodThatCannotBeGuarded(CapturedOutput output) {
		assertFails("leader-election.backend: local", Unguardable.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "@LeaderOnly cannot work here:",
				"Unguardable.work() is private, so that no proxy can guard it", "Make the method overridable");
	}

	@Test
	void twoClientsOfZooKeeper(CapturedOutput output) {
		assertFails("leader-election.backend: zookeeper", TwoCurators.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "There are 2 beans of type CuratorFramework.",
				"Mark the one that elections shall use as @Primary.");
	}

	@Test
	void aClientOfZooKeeperBesideItsProperties(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: zookeeper
				  zookeeper:
				    connect-string: localhost:2181
				""", OneCurator.class);
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Elections use the bean of type CuratorFramework, which has its own settings.",
				"Remove 'leader-election.zookeeper.connect-string', or the bean.");
	}

	@Test
	void twoClientsOfEtcd(CapturedOutput output) {
		assertFails("leader-election.backend: etcd", TwoEtcdClients.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "There are 2 beans of type Client.",
				"Mark the one that elections shall use as @Primary.");
	}

	@Test
	void aClientOfEtcdBesideItsProperties(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: etcd
				  etcd:
				    endpoints: http://localhost:2379
				""", OneEtcdClient.class);
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Elections use the bean of type Client, which has its own settings.",
				"Remove 'leader-election.etcd.endpoints', or the bean.");
	}

	@Test
	void aRunnerThatAsksAnEtcdThatIsDown(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: etcd
				  etcd:
				    endpoints: http://localhost:1
				""", AsksTheStore.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "etcd cannot be reached",
				"Check leader-election.etcd.endpoints");
	}

	@Test
	void aDatabaseWithoutTheTables(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: jdbc
				  jdbc:
				    initialize-schema: never
				spring.datasource.url: jdbc:h2:mem:without-the-tables
				""", DataSourceAutoConfiguration.class);
		assertThat(output).contains("APPLICATION FAILED TO START",
				"The tables of the leader election (LEADER_ELECTION, LEADER_ELECTION_EPOCH and "
						+ "LEADER_ELECTION_CANDIDATE) are not there",
				"Create them with 'classpath:io/leaderelection/jdbc/schemas/v1/schema-h2.sql'");
	}

	@Test
	void aRunnerThatAsksAZooKeeperThatIsDown(CapturedOutput output) {
		assertFails("""
				leader-election:
				  backend: zookeeper
				  zookeeper:
				    connect-string: localhost:1
				    connection-timeout: 100ms
				""", AsksTheStore.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "No connection to ZooKeeper at 'localhost:1'",
				"Check leader-election.zookeeper.connect-string");
	}

	@Test
	void aRunnerThatAsksARedisThatRefusesTheLogin(CapturedOutput output) {
		try (RedisServer server = RedisServer.start()) {
			server.ask((redis) -> redis.configSet("requirepass", "secret"));
			assertFails("{ leader-election.backend: redis, spring.data.redis.port: %d }".formatted(server.port()),
					DataRedisAutoConfiguration.class, AsksTheStore.class);
		}
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Redis answers, but cannot keep the leases of elections as it is set up:", "NOAUTH",
				"Check spring.data.redis.username and spring.data.redis.password.");
	}

	@Test
	void whatIsRightStarts() throws Exception {
		write("""
				leader-election:
				  backend: local
				  node-id: ${spring.application.name}-1
				  elections:
				    mails:
				    nightly-reports:
				      lease-duration: 5s
				    my_job:
				      drain-timeout: 1s
				    "[a/b]":
				      renew-interval: 1s
				spring.application.name: shop
				""");
		try (ConfigurableApplicationContext context = application(Application.class).run()) {
			LeaderElections elections = context.getBean(LeaderElections.class);
			assertThat(elections.nodeId()).isEqualTo("shop-1");
			assertThat(elections.electors()).extracting(LeaderElector::election)
				.containsExactly("mails", "nightly-reports", "my_job", "a/b");
		}
	}

	@Test
	void whatIsSpeltInAnotherWayOrBelongsToOthersStarts() throws Exception {
		write("""
				leader-election:
				  backend: local
				  leaseDuration: 7s
				  redis:
				  #  key-prefix: shop
				  etcd.endpoints[0]: http://localhost:2379
				  web:
				    client:
				      token-hosts: [ledger.example.org]
				  kubernetes.leader-label.default: role
				  store-of-our-own:
				    address: localhost
				leader-electionist: somebody
				""");
		try (ConfigurableApplicationContext context = application(Application.class).run()) {
			assertThat(context.getBean(LeaderElectionProperties.class).getLeaseDuration())
				.isEqualTo(Duration.ofSeconds(7));
		}
	}

	private void assertFails(String yaml, Class<?>... more) {
		assertThatException().isThrownBy(() -> {
			write(yaml);
			application(Application.class, more).run().close();
		});
	}

	private void write(String yaml) throws Exception {
		Files.writeString(this.directory.resolve("application.yml"), yaml);
	}

	private SpringApplicationBuilder application(Class<?> source, Class<?>... more) {
		return new SpringApplicationBuilder(source).sources(more)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("spring.config.location=" + this.directory.toUri())
			.registerShutdownHook(false);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ EtcdLeaderElectionAutoConfiguration.class, JdbcLeaderElectionAutoConfiguration.class,
			RedisLeaderElectionAutoConfiguration.class, ZooKeeperLeaderElectionAutoConfiguration.class,
			LeaderElectionAutoConfiguration.class, LeaderOnlyAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class SendsLetters {

		@Bean
		String letters(@Qualifier("letters") LeaderElector elector) {
			return elector.election();
		}

		@Bean
		String sender(String letters) {
			return letters;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SendsAnything {

		@Bean
		String sender(LeaderElector elector) {
			return elector.election();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BadCustomizer {

		@Bean
		ElectionSettingsCustomizer customizer() {
			return (election, settings) -> settings.callTimeout(Duration.ofMinutes(1));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneCurator {

		@Bean(destroyMethod = "")
		CuratorFramework curator() {
			return CuratorFrameworkFactory.newClient("localhost:1", new RetryOneTime(1));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoCurators extends OneCurator {

		@Bean(destroyMethod = "")
		CuratorFramework another() {
			return curator();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneEtcdClient {

		@Bean
		Client client() {
			return Client.builder().endpoints("http://localhost:1").build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoEtcdClients extends OneEtcdClient {

		@Bean
		Client another() {
			return client();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AsksTheStore {

		@Bean
		ApplicationRunner runner(LeaseStore store) {
			return (arguments) -> store.read("reports");
		}

	}

	static class Unguardable {

		@LeaderOnly
		private void work() {
		}

	}

}
