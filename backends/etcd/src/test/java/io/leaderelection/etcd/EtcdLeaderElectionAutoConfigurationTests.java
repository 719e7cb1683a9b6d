package io.leaderelection.etcd;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.List;
import java.util.UUID;

import io.etcd.jetcd.Client;
import io.leaderelection.servers.EtcdServer;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.store.Owner;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the application context makes of the properties. No server is needed here, so that
 * nothing is skipped.
 */
class EtcdLeaderElectionAutoConfigurationTests {

	private static final String NOWHERE = "leader-election.etcd.endpoints=http://127.0.0.1:1";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EtcdLeaderElectionAutoConfiguration.class))
		.withPropertyValues("leader-election.backend=etcd");

	@Test
	void anEndpointIsEnough() {
		this.contextRunner.withPropertyValues(NOWHERE)
			.run((context) -> assertThat(context).hasSingleBean(EtcdLeaseStore.class).doesNotHaveBean(Client.class));
	}

	@Test
	void aServerThatCannotBeReachedIsNamedByItsProperty() {
		this.contextRunner.withPropertyValues(NOWHERE, "leader-election.etcd.connect-timeout=2s")
			.run((context) -> assertThatExceptionOfType(EtcdLeaseStoreException.class)
				.isThrownBy(() -> grants(context.getBean(LeaseStore.class)))
				.withMessageContaining("leader-election.etcd.endpoints"));
	}

	@Test
	void emptyEndpointsPreventTheStart() {
		assertRefused("endpoints", "Client", "leader-election.etcd.endpoints=");
	}

	@Test
	void impossibleEndpointsAreNamed() {
		for (String endpoint : List.of("localhost:2379", "2379", "ftp://localhost:2379", "http://")) {
			assertRefused("endpoints", endpoint, "leader-election.etcd.endpoints=" + endpoint);
		}
	}

	@Test
	void endpointsWithAndWithoutTlsAreNotMixed() {
		assertRefused("endpoints", "https", "leader-election.etcd.endpoints=http://a:2379,https://b:2379");
	}

	@Test
	void aBundleThatWouldHaveNoEffectIsRefused() {
		assertRefused("ssl.bundle", "some", NOWHERE, "leader-election.etcd.ssl.bundle=some");
	}

	@Test
	void halfOfALogInIsRefused() {
		assertRefused("password", "both", NOWHERE, "leader-election.etcd.user=app");
		assertRefused("user", "both", NOWHERE, "leader-election.etcd.password=secret");
	}

	@Test
	void anImpossiblePrefixIsNamed() {
		assertRefused("prefix", "/elections/", NOWHERE, "leader-election.etcd.prefix=/elections/");
		assertRefused("prefix", "prefix", NOWHERE, "leader-election.etcd.prefix=");
	}

	@Test
	void anImpossibleTimeoutIsNamed() {
		for (String value : List.of("0s", "-1s", "40d")) {
			assertRefused("connect-timeout", "at most a day", NOWHERE, "leader-election.etcd.connect-timeout=" + value);
		}
	}

	private void assertRefused(String property, String mentioned, String... properties) {
		this.contextRunner.withPropertyValues(properties)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining("leader-election.etcd." + property)
				.hasMessageContaining(mentioned));
	}

	@Test
	void theApplicationsOwnClientIsUsedAndItsSettingsAreItsOwn() {
		try (Client client = EtcdServer.connect("http://127.0.0.1:1")) {
			ApplicationContextRunner own = this.contextRunner.withBean(Client.class, () -> client,
					(bean) -> bean.setDestroyMethodName(""));
			own.run((context) -> assertThat(context).hasSingleBean(EtcdLeaseStore.class));
			own.withPropertyValues(NOWHERE, "leader-election.etcd.user=app")
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.isInstanceOf(EtcdLeaseStoreException.class)
					.hasMessageContaining("'leader-election.etcd.endpoints', 'leader-election.etcd.user'"));
			own.withBean("second", Client.class, () -> client, (bean) -> bean.setDestroyMethodName(""))
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.isInstanceOf(EtcdLeaseStoreException.class)
					.hasMessageContaining("2 beans")
					.hasMessageContaining("@Primary"));
		}
	}

	@Test
	void aClientIsCustomizedBeforeItIsBuilt() {
		AtomicBoolean asked = new AtomicBoolean();
		this.contextRunner.withPropertyValues(NOWHERE)
			.withBean(EtcdClientBuilderCustomizer.class, () -> (builder) -> asked.set(!builder.waitForReady()))
			.run((context) -> assertThat(asked).isTrue());
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
			.withBean(EtcdConnectionDetails.class, () -> (EtcdConnectionDetails) () -> List.of("neither this"))
			.withPropertyValues(NOWHERE)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("neither this"));
	}

	@Test
	void containersAndComposeServicesAreKnownToSpringBoot() {
		List<String> factories = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(ConnectionDetailsFactory.class,
					SpringFactoriesLoader.FailureHandler.logging(LogFactory.getLog(getClass())))
			.stream()
			.map((factory) -> factory.getClass().getName())
			.toList();
		assertThat(factories).contains(EtcdContainerConnectionDetailsFactory.class.getName(),
				EtcdDockerComposeConnectionDetailsFactory.class.getName());
	}

	static boolean grants(LeaseStore store) {
		Owner owner = new Owner("a", UUID.randomUUID().toString());
		return store
			.acquire(List.of(new AcquireRequest(UUID.randomUUID().toString(), owner, Duration.ofSeconds(10), 0, true)))
			.get(0) instanceof Granted;
	}

}
