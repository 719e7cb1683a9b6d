package io.leaderelection.kubernetes;

import java.time.InstantSource;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.leaderelection.store.observed.ObservedLeaseStore;

/**
 * Keeps leases in Leases of Kubernetes, one for each election, which are written on the
 * condition that nobody else has written them since, and never deleted.
 *
 * <p>
 * Another may take a lease when it is released, or when it has seen the Lease unchanged
 * for as long as the lease lasts, on its own monotonic clock. The times in a Lease are
 * for people: nothing is decided by them.
 */
public final class KubernetesLeaseStore extends ObservedLeaseStore {

	/**
	 * A store on a client that somebody else closes.
	 * @param client the client
	 * @param namespace where the Leases are
	 * @param prefix what the names of all Leases begin with
	 */
	public KubernetesLeaseStore(KubernetesClient client, String namespace, String prefix) {
		this(client, namespace, prefix, InstantSource.system(), () -> {
		});
	}

	KubernetesLeaseStore(KubernetesClient client, String namespace, String prefix, InstantSource clock,
			Runnable closing) {
		super(new LeaseObjects(client, namespace, prefix, clock, closing), System::nanoTime, clock);
	}

}
