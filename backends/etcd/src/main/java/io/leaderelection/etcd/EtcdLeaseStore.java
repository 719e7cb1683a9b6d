package io.leaderelection.etcd;

import java.time.Duration;
import java.time.InstantSource;

import io.etcd.jetcd.Client;
import io.leaderelection.store.observed.ObservedLeaseStore;

/**
 * Keeps leases in etcd. Each election has a record that is only changed by a transaction
 * conditional on its former value, and each node has one key whose writes are heartbeats
 * for all its leases.
 *
 * <p>
 * A lease ends by observed time, see {@link ObservedLeaseStore}. Safety depends neither
 * on when etcd ends its own leases, nor on which server answers keep-alives.
 */
public final class EtcdLeaseStore extends ObservedLeaseStore {

	/**
	 * A store on a client that is closed by its owner.
	 * @param client the client
	 * @param prefix the prefix of all keys
	 */
	public EtcdLeaseStore(Client client, String prefix) {
		this(client, prefix, ClientFactory.DEFAULT_CONNECT_TIMEOUT, InstantSource.system(), () -> {
		});
	}

	EtcdLeaseStore(Client client, String prefix, Duration connectTimeout, InstantSource clock, Runnable closing) {
		super(new EtcdLeaseRecords(client, prefix, connectTimeout, closing), System::nanoTime, clock);
	}

}
