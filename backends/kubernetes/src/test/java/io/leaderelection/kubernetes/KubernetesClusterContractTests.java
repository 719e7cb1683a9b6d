package io.leaderelection.kubernetes;

import java.util.Objects;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.leaderelection.servers.TestedServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * The contract on a real API server, in the namespace that KUBECONFIG chooses. It deletes
 * no Leases but its own.
 */
@EnabledIfEnvironmentVariable(named = "KUBECONFIG", matches = ".+")
class KubernetesClusterContractTests extends KubernetesLeaseStoreContract {

	private static KubernetesClient admin;

	@BeforeAll
	static void connectAdmin() {
		admin = new KubernetesClientBuilder().build();
		TestedServers.report("Kubernetes", admin.getKubernetesVersion().getGitVersion());
	}

	@AfterAll
	static void closeAdmin() {
		admin.close();
	}

	@AfterEach
	void tidy() {
		loseAllData();
	}

	@Override
	KubernetesClient connect() {
		return new KubernetesClientBuilder().build();
	}

	@Override
	KubernetesClient admin() {
		return admin;
	}

	@Override
	String namespace() {
		return Objects.requireNonNullElse(admin.getConfiguration().getNamespace(), "default");
	}

}
