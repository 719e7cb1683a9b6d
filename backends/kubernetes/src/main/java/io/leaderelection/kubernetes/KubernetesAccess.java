package io.leaderelection.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.StringUtils;

/**
 * The client that elections use, and where it finds their Leases.
 */
final class KubernetesAccess implements AutoCloseable {

	private final KubernetesClient client;

	private final boolean own;

	private final String namespace;

	private KubernetesAccess(KubernetesClient client, boolean own, @Nullable String namespace) {
		this.client = client;
		this.own = own;
		String found = StringUtils.hasText(namespace) ? namespace : client.getConfiguration().getNamespace();
		if (!StringUtils.hasText(found)) {
			close();
			throw new KubernetesLeaseStoreException("Nothing says in which namespace the Leases of elections are",
					"set 'leader-election.kubernetes.namespace', or run in a pod with a service account, or choose a "
							+ "namespace in KUBECONFIG");
		}
		this.namespace = found;
	}

	/**
	 * The application's own client if it has one, and otherwise one that is configured as
	 * everywhere: by the service account of the pod, or KUBECONFIG.
	 */
	static KubernetesAccess of(ObjectProvider<KubernetesClient> clients, @Nullable String namespace) {
		if (clients.stream().findAny().isEmpty()) {
			return new KubernetesAccess(new KubernetesClientBuilder().build(), true, namespace);
		}
		KubernetesClient client = clients.getIfUnique();
		if (client == null) {
			throw new KubernetesLeaseStoreException(
					"There are %d beans of type KubernetesClient".formatted(clients.stream().count()),
					"mark the one that elections shall use as @Primary");
		}
		return new KubernetesAccess(client, false, namespace);
	}

	KubernetesClient client() {
		return this.client;
	}

	String namespace() {
		return this.namespace;
	}

	/** That of the service account, though Leases may be elsewhere. */
	String namespaceOfPod() {
		String namespace = this.client.getConfiguration().getNamespace();
		return StringUtils.hasText(namespace) ? namespace : this.namespace;
	}

	@Override
	public void close() {
		if (this.own) {
			this.client.close();
		}
	}

}
