package io.leaderelection.kubernetes;

import java.util.List;
import java.util.Optional;

import io.leaderelection.autoconfigure.LeaderElectionBackend;

import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;

/**
 * What the Kubernetes backend requires of the application.
 */
final class KubernetesBackend implements LeaderElectionBackend {

	@Override
	public String name() {
		return "kubernetes";
	}

	@Override
	public String clientDependency() {
		return "io.fabric8:kubernetes-client";
	}

	@Override
	public List<String> requiredClasses() {
		return List.of("io.fabric8.kubernetes.client.KubernetesClient");
	}

	@Override
	public List<String> beanTypes() {
		return List.of("io.fabric8.kubernetes.client.KubernetesClient");
	}

	@Override
	public String property() {
		return "leader-election.kubernetes.namespace";
	}

	/**
	 * Outside a cluster, the client would use any KUBECONFIG, so it has to be configured.
	 */
	@Override
	public Optional<String> detect(Environment environment) {
		if (CloudPlatform.KUBERNETES.isActive(environment)) {
			return Optional.of("that the application runs in Kubernetes");
		}
		return Optional.ofNullable(environment.getProperty("leader-election.backend"))
			.filter(name()::equalsIgnoreCase)
			.map((configured) -> "the property leader-election.backend");
	}

}
