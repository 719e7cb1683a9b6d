package io.leaderelection.kubernetes;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.nodes.FailureAnalyses;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the application context makes of clients and properties.
 */
class KubernetesLeaderElectionAutoConfigurationTests {

	private static EmulatedApiServer server;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KubernetesLeaderElectionAutoConfiguration.class))
		.withPropertyValues("leader-election.backend=kubernetes");

	@BeforeAll
	static void startServer() {
		server = new EmulatedApiServer();
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@Test
	void theApplicationsOwnClientIsUsedAndLeftOpen() {
		try (KubernetesClient client = server.connect()) {
			withClient(client).run((context) -> assertThat(grants(context.getBean(LeaseStore.class))).isTrue());
			assertThat(client.getHttpClient().isClosed()).isFalse();
		}
	}

	@Test
	void aClientOfItsOwnIsClosedWithTheContext() {
		this.contextRunner.withPropertyValues("leader-election.kubernetes.namespace=" + EmulatedApiServer.NAMESPACE)
			.run((context) -> {
				KubernetesClient client = context.getBean(KubernetesAccess.class).client();
				assertThat(context).doesNotHaveBean(KubernetesClient.class);
				context.close();
				assertThat(client.getHttpClient().isClosed()).isTrue();
			});
	}

	@Test
	void theNamespaceOfThePropertyGoesBeforeThatOfTheClient() {
		try (KubernetesClient client = server.connect()) {
			withClient(client).run((context) -> assertThat(context.getBean(KubernetesAccess.class).namespace())
				.isEqualTo(EmulatedApiServer.NAMESPACE));
			withClient(client).withPropertyValues("leader-election.kubernetes.namespace=other")
				.run((context) -> assertThat(context.getBean(KubernetesAccess.class).namespace()).isEqualTo("other"));
		}
	}

	@Test
	void withoutAnyNamespaceTheStartFailsWithWhatToDo() {
		try (KubernetesClient client = new KubernetesClientBuilder().withConfig(Config.empty()).build()) {
			withClient(client).run((context) -> {
				Throwable failure = context.getStartupFailure();
				FailureAnalysis analysis = FailureAnalyses.of(failure);
				assertThat(analysis.getDescription()).contains("namespace");
				assertThat(analysis.getAction()).contains("leader-election.kubernetes.namespace", "service account",
						"KUBECONFIG");
			});
		}
	}

	@Test
	void oneOfTwoClientsHasToBeMarked() {
		try (KubernetesClient client = server.connect()) {
			withClient(client)
				.withBean("second", KubernetesClient.class, () -> client, (bean) -> bean.setDestroyMethodName(""))
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.isInstanceOf(KubernetesLeaseStoreException.class)
					.hasMessageContaining("2 beans")
					.hasMessageContaining("@Primary"));
		}
	}

	@Test
	void impossibleSettingsAreNamed() {
		assertRefused("prefix", "Elections", "leader-election.kubernetes.prefix=Elections");
		assertRefused("prefix", "a.b", "leader-election.kubernetes.prefix=a.b");
		assertRefused("namespace", "No Namespace", "leader-election.kubernetes.namespace=No Namespace");
		assertRefused("leader-label.reports", "not a label", "POD_NAME=pod-1",
				"leader-election.kubernetes.leader-label.reports=not a label");
		assertRefused("leader-label.", "of its own", "POD_NAME=pod-1",
				"leader-election.kubernetes.leader-label.reports=leads",
				"leader-election.kubernetes.leader-label.mails=leads");
		assertRefused("pod-name", "POD_NAME", "POD_NAME=", "HOSTNAME=",
				"leader-election.kubernetes.leader-label.reports=leads");
	}

	private void assertRefused(String property, String mentioned, String... properties) {
		try (KubernetesClient client = server.connect()) {
			withClient(client).withPropertyValues(properties)
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.isInstanceOf(InvalidConfigurationPropertyValueException.class)
					.hasMessageContaining("leader-election.kubernetes." + property)
					.hasMessageContaining(mentioned));
		}
	}

	@Test
	void aStoreOfTheApplicationIsKept() {
		this.contextRunner.withBean(InMemoryLeaseStore.class)
			.run((context) -> assertThat(context).hasSingleBean(LeaseStore.class)
				.hasSingleBean(InMemoryLeaseStore.class)
				.doesNotHaveBean(KubernetesAccess.class));
	}

	@Test
	void thePodOfALeaderHasALabelAsLongAsItLeads() {
		server.putPod("pod-1");
		try (KubernetesClient client = server.connect();
				LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore()).nodeId("a").build()) {
			LeaderElector elector = elections.elector("reports");
			withClient(client).withBean(LeaderElections.class, () -> elections, (bean) -> bean.setDestroyMethodName(""))
				.withPropertyValues("POD_NAME=pod-1",
						"leader-election.kubernetes.leader-label.reports=example.org/leads")
				.run((context) -> {
					assertThat(context).hasNotFailed();
					elections.start();
					await().until(elector::isLeader);
					await().until(() -> "true".equals(label("pod-1")));
					elector.operations().stepDown(Duration.ofMinutes(1));
					await().until(() -> label("pod-1") == null);
				});
		}
	}

	@Test
	void aLabelThatCannotBeSetHarmsNothingAndIsTriedAgain() {
		try (KubernetesClient client = server.connect();
				LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore()).nodeId("a").build()) {
			LeaderElector elector = elections.elector("reports");
			withClient(client).withBean(LeaderElections.class, () -> elections, (bean) -> bean.setDestroyMethodName(""))
				.withPropertyValues("leader-election.kubernetes.pod-name=pod-2",
						"leader-election.kubernetes.leader-label.reports=example.org/leads")
				.run((context) -> {
					elections.start();
					await().until(elector::isLeader);
					await().until(() -> server.requests("PATCH") > 1);
					server.putPod("pod-2");
					await().until(() -> "true".equals(label("pod-2")));
					assertThat(elector.isLeader()).isTrue();
				});
		}
	}

	private static String label(String pod) {
		return server.pod(pod).path("metadata").path("labels").path("example.org/leads").asText(null);
	}

	private ApplicationContextRunner withClient(KubernetesClient client) {
		return this.contextRunner.withBean("client", KubernetesClient.class, () -> client,
				(bean) -> bean.setDestroyMethodName(""));
	}

	private static boolean grants(LeaseStore store) {
		Owner owner = new Owner("a", UUID.randomUUID().toString());
		return store
			.acquire(List.of(new AcquireRequest(UUID.randomUUID().toString(), owner, Duration.ofMinutes(1), 0, true)))
			.get(0) instanceof Granted;
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(20));
	}

}
