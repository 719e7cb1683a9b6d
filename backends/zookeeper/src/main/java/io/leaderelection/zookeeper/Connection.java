package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The way to ZooKeeper. Curator connects, reconnects, and begins a new session when the
 * old one is lost; its connection state is taken for a hint, never for proof.
 */
final class Connection {

	private static final Log logger = LogFactory.getLog(Connection.class);

	private final Supplier<CuratorFramework> source;

	private final Tree tree;

	private final ACLProvider acls;

	private final Hints hints;

	private final Sightings sightings;

	private final ConnectionStateListener listener;

	private @Nullable CuratorFramework client;

	private @Nullable Session session;

	private Duration longestLease = Duration.ZERO;

	Connection(Supplier<CuratorFramework> client, Tree tree, ACLProvider acls, Hints hints, Sightings sightings) {
		this.source = client;
		this.tree = tree;
		this.acls = acls;
		this.hints = hints;
		this.sightings = sightings;
		this.listener = (source, state) -> {
			if (state == ConnectionState.RECONNECTED) {
				hints.wakeUpAll();
			}
		};
	}

	/** The present session, ready to prove life with. */
	Session session() {
		ZooKeeper handle = handle();
		if (handle.getSessionId() == 0) {
			awaitSession();
			handle = handle();
		}
		Session present = session(handle, handle.getSessionId());
		present.prepare();
		return present;
	}

	private synchronized Session session(ZooKeeper handle, long id) {
		if (this.session == null || !this.session.isOn(handle, id)) {
			this.session = new Session(handle, id, this.tree, this.acls, this.hints, this.sightings);
			warnIfTooShort(this.session.timeout(), this.longestLease);
		}
		return this.session;
	}

	private synchronized CuratorFramework client() {
		if (this.client == null) {
			CuratorFramework made = this.source.get();
			made.getConnectionStateListenable().addListener(this.listener);
			this.client = made;
		}
		return this.client;
	}

	private ZooKeeper handle() {
		try {
			return client().getZookeeperClient().getZooKeeper();
		}
		catch (Exception ex) {
			throw new ZooKeeperLeaseStoreException("There is no connection to ZooKeeper: " + ex.getMessage(), ex);
		}
	}

	private void awaitSession() {
		boolean connected;
		try {
			connected = client().getZookeeperClient().blockUntilConnectedOrTimedOut();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ZooKeeperLeaseStoreException("Interrupted while waiting for a connection to ZooKeeper", ex);
		}
		if (!connected || handle().getSessionId() == 0) {
			throw new ZooKeeperLeaseStoreException(
					"No connection to ZooKeeper at '%s' within %d ms: check 'leader-election.zookeeper.connect-string'"
						.formatted(client().getZookeeperClient().getCurrentConnectionString(),
								client().getZookeeperClient().getConnectionTimeoutMs()));
		}
	}

	/** Says once if sessions end before leases do: that costs time, not safety. */
	synchronized void expectLease(Duration duration) {
		if (duration.compareTo(this.longestLease) > 0) {
			this.longestLease = duration;
			if (this.session != null) {
				warnIfTooShort(this.session.timeout(), duration);
			}
		}
	}

	private static void warnIfTooShort(Duration timeout, Duration lease) {
		if (timeout.compareTo(lease) < 0) {
			logger.warn(("ZooKeeper grants a session timeout of %s, which is shorter than the lease of %s: a crashed "
					+ "leader is missed for up to twice the lease. Shorten 'leader-election.lease-duration', or "
					+ "lengthen 'leader-election.zookeeper.session-timeout' and the servers' maxSessionTimeout")
				.formatted(timeout, lease));
		}
	}

	synchronized void close() {
		if (this.client != null) {
			this.client.getConnectionStateListenable().removeListener(this.listener);
		}
	}

}
