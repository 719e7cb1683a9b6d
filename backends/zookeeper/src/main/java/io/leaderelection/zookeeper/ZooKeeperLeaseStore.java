package io.leaderelection.zookeeper;

import java.time.InstantSource;
import java.util.function.Supplier;

import io.leaderelection.store.observed.ObservedLeaseStore;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.DefaultACLProvider;

/**
 * Keeps leases in ZooKeeper. Each election has a record that is only changed by a write
 * conditional on its version, and each node has one ephemeral node whose writes are
 * heartbeats for all its leases.
 *
 * <p>
 * A lease ends by observed time, see {@link ObservedLeaseStore}. Safety does not depend
 * on when ZooKeeper ends a session.
 */
public final class ZooKeeperLeaseStore extends ObservedLeaseStore {

	/**
	 * A store on a client that is started and closed by its owner.
	 * @param client the client
	 * @param rootPath the node that all others are kept under
	 */
	public ZooKeeperLeaseStore(CuratorFramework client, String rootPath) {
		this(client.getNamespace(), () -> client, rootPath, new DefaultACLProvider(), () -> {
		});
	}

	/**
	 * A store.
	 * @param namespace that of the client; empty if it has none
	 * @param client the client, requested when it is first needed
	 * @param rootPath the node that all others are kept under
	 * @param acls who has access to its nodes
	 * @param closing run when the store is closed
	 */
	ZooKeeperLeaseStore(String namespace, Supplier<CuratorFramework> client, String rootPath, ACLProvider acls,
			Runnable closing) {
		super(new ZooKeeperLeaseRecords(client, new Paths(namespace, rootPath), acls, closing), System::nanoTime,
				InstantSource.system());
	}

}
