package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.leaderelection.servers.ZooKeeperServers;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.store.Owner;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the application context makes of the properties.
 */
class ZooKeeperLeaderElectionAutoConfigurationTests {

	private static TestingServer server;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZooKeeperLeaderElectionAutoConfiguration.class))
		.withPropertyValues("leader-election.backend=zookeeper");

	@BeforeAll
	static void startServer() throws Exception {
		server = ZooKeeperServers.single();
	}

	@AfterAll
	static void stopServer() throws Exception {
		server.close();
	}

	private static boolean grants(LeaseStore store) {
		Owner owner = new Owner("a", UUID.randomUUID().toString());
		return store
			.acquire(List.of(new AcquireRequest(UUID.randomUUID().toString(), owner, Duration.ofSeconds(10), 0, true)))
			.get(0) instanceof Granted;
	}

	@Test
	void aConnectStringIsEnough() {
		this.contextRunner
			.withPropertyValues("leader-election.zookeeper.connect-string=" + server.getConnectString(),
					"leader-election.zookeeper.root-path=/configured")
			.run((context) -> {
				assertThat(context).hasSingleBean(ZooKeeperLeaseStore.class).doesNotHaveBean(CuratorFramework.class);
				assertThat(grants(context.getBean(LeaseStore.class))).isTrue();
			});
		try (CuratorFramework admin = Clients.started(server.getConnectString(), Duration.ofSeconds(10))) {
			assertThat(admin.getChildren().forPath("/configured/elections")).hasSize(1);
			assertThat(admin.getChildren().forPath("/configured/sessions")).as("the session ends with the context")
				.isEmpty();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void anEmptyConnectStringPreventsTheStart() {
		this.contextRunner.withPropertyValues("leader-election.zookeeper.connect-string=")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining("leader-election.zookeeper.connect-string"));
	}

	@Test
	void aConnectStringThatCannotBeReadIsNamed() {
		for (String connectString : new String[] { "localhost:port", "localhost:2181/chroot/",
				"localhost:2181chroot" }) {
			this.contextRunner.withPropertyValues("leader-election.zookeeper.connect-string=" + connectString)
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.isInstanceOf(InvalidConfigurationPropertyValueException.class)
					.hasMessageContaining("leader-election.zookeeper.connect-string")
					.hasMessageContaining(connectString));
		}
	}

	/** So that the application does not wait for it. */
	@Test
	void theStartDoesNotMakeTheClient() {
		this.contextRunner.withPropertyValues("leader-election.zookeeper.connect-string=" + server.getConnectString())
			.run((context) -> {
				ZooKeeperLeaseStore store = context.getBean(ZooKeeperLeaseStore.class);
				assertThat(clientThreads()).isEmpty();
				assertThat(grants(store)).isTrue();
				assertThat(clientThreads()).isNotEmpty();
			});
	}

	@Test
	void aStoreThatIsClosedMakesNoClientAnyMore() {
		this.contextRunner.withPropertyValues("leader-election.zookeeper.connect-string=" + server.getConnectString())
			.run((context) -> {
				ZooKeeperLeaseStore store = context.getBean(ZooKeeperLeaseStore.class);
				store.close();
				assertThatExceptionOfType(ZooKeeperLeaseStoreException.class).isThrownBy(() -> grants(store))
					.withMessageContaining("closed");
				assertThat(clientThreads()).isEmpty();
			});
	}

	private static List<String> clientThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.contains(server.getConnectString()))
			.toList();
	}

	@Test
	void anImpossibleRootPathIsNamed() {
		for (String path : new String[] { "elections", "/elections/", "/a//b", "/a/../b" }) {
			this.contextRunner
				.withPropertyValues("leader-election.zookeeper.connect-string=" + server.getConnectString(),
						"leader-election.zookeeper.root-path=" + path)
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.isInstanceOf(InvalidConfigurationPropertyValueException.class)
					.hasMessageContaining("leader-election.zookeeper.root-path")
					.hasMessageContaining(path));
		}
	}

	@Test
	void anImpossibleTimeoutIsNamed() {
		for (String property : new String[] { "session-timeout", "connection-timeout" }) {
			for (String value : new String[] { "0s", "-1s", "40d" }) {
				this.contextRunner
					.withPropertyValues("leader-election.zookeeper.connect-string=" + server.getConnectString(),
							"leader-election.zookeeper." + property + "=" + value)
					.run((context) -> assertThat(context).getFailure()
						.rootCause()
						.isInstanceOf(InvalidConfigurationPropertyValueException.class)
						.hasMessageContaining("leader-election.zookeeper." + property));
			}
		}
	}

	@Test
	void theApplicationsClientFactoryIsUsedAndLeftOpen() {
		CuratorFramework client = Clients.started(server.getConnectString(), Duration.ofSeconds(15));
		try (client) {
			this.contextRunner.withBean(CuratorFramework.class, () -> client, (bean) -> bean.setDestroyMethodName(""))
				.run((context) -> assertThat(grants(context.getBean(LeaseStore.class))).isTrue());
			assertThat(client.getState()).isEqualTo(CuratorFrameworkState.STARTED);
		}
	}

	@Test
	void settingsThatAnClientFactoryWouldIgnoreAreRefused() {
		this.contextRunner.withUserConfiguration(OneClient.class)
			.withPropertyValues("leader-election.zookeeper.session-timeout=20s",
					"leader-election.zookeeper.auth.credentials=a:b")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(ZooKeeperLeaseStoreException.class)
				.hasMessageContaining("leader-election.zookeeper.session-timeout")
				.hasMessageContaining("leader-election.zookeeper.auth.credentials"));
	}

	@Test
	void oneOfSeveralClientsHasToBePrimary() {
		this.contextRunner.withUserConfiguration(OneClient.class)
			.withBean("second", CuratorFramework.class,
					() -> Clients.started(server.getConnectString(), Duration.ofSeconds(15)))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(ZooKeeperLeaseStoreException.class)
				.hasMessageContaining("2 beans")
				.hasMessageContaining("@Primary"));
	}

	@Test
	void aStoreOfTheApplicationIsKept() {
		this.contextRunner.withBean(InMemoryLeaseStore.class)
			.run((context) -> assertThat(context).hasSingleBean(LeaseStore.class)
				.hasSingleBean(InMemoryLeaseStore.class));
	}

	@Test
	void connectionDetailsGoBeforeProperties() {
		this.contextRunner
			.withBean(ZooKeeperConnectionDetails.class, () -> (ZooKeeperConnectionDetails) server::getConnectString)
			.withPropertyValues("leader-election.zookeeper.connect-string=127.0.0.1:1")
			.run((context) -> assertThat(grants(context.getBean(LeaseStore.class))).isTrue());
	}

	@Test
	void withCredentialsNobodyElseHasAccess() {
		String[] known = { "leader-election.zookeeper.connect-string=" + server.getConnectString(),
				"leader-election.zookeeper.root-path=/guarded" };
		this.contextRunner.withPropertyValues(known)
			.withPropertyValues("leader-election.zookeeper.auth.credentials=app:secret")
			.run((context) -> {
				assertThat(grants(context.getBean(LeaseStore.class))).isTrue();
				try (CuratorFramework stranger = Clients.started(server.getConnectString(), Duration.ofSeconds(10))) {
					for (String path : new String[] { "/guarded", "/guarded/elections", "/guarded/sessions" }) {
						assertThatExceptionOfType(KeeperException.NoAuthException.class)
							.isThrownBy(() -> stranger.getChildren().forPath(path));
					}
				}
				this.contextRunner.withPropertyValues(known)
					.run((other) -> assertThatExceptionOfType(ZooKeeperLeaseStoreException.class)
						.isThrownBy(() -> grants(other.getBean(LeaseStore.class)))
						.withMessageContaining("/guarded")
						.withMessageContaining("leader-election.zookeeper.auth.credentials"));
			});
	}

	@Test
	void aSessionOutlastsTheLongestLease() {
		ZooKeeperLeaderElectionProperties properties = new ZooKeeperLeaderElectionProperties();
		MockEnvironment environment = new MockEnvironment();
		assertThat(ClientFactory.sessionTimeout(properties, environment)).isEqualTo(Duration.ofSeconds(15));
		environment.setProperty("leader-election.lease-duration", "4s");
		assertThat(ClientFactory.sessionTimeout(properties, environment)).isEqualTo(Duration.ofSeconds(6));
		environment.setProperty("leader-election.elections.reports.lease-duration", "20s");
		environment.setProperty("leader-election.elections.reports.priority", "10");
		environment.setProperty("leader-election.elections.invoices", "");
		assertThat(ClientFactory.sessionTimeout(properties, environment)).isEqualTo(Duration.ofSeconds(30));
		properties.setSessionTimeout(Duration.ofSeconds(7));
		assertThat(ClientFactory.sessionTimeout(properties, environment)).isEqualTo(Duration.ofSeconds(7));
	}

	@Configuration(proxyBeanMethods = false)
	static class OneClient {

		@Bean
		CuratorFramework client() {
			return Clients.started(server.getConnectString(), Duration.ofSeconds(15));
		}

	}

}
