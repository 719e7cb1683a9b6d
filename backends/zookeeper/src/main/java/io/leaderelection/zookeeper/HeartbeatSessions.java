package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The present session of this node, and its heartbeat: an ephemeral node that is created
 * once and written only while it exists, so that a heartbeat that is gone stays gone.
 *
 * <p>
 * Curator connects, reconnects, and begins a new session when the last one is lost. Its
 * connection state is a hint and proves nothing.
 */
final class HeartbeatSessions {

	private static final Log logger = LogFactory.getLog(HeartbeatSessions.class);

	private final Supplier<CuratorFramework> source;

	private final Paths paths;

	private final ACLProvider acls;

	private final ConnectionStateListener listener;

	private final AtomicReference<@Nullable Heartbeat> heartbeat = new AtomicReference<>();

	private @Nullable CuratorFramework client;

	private @Nullable Session session;

	private Duration longestLease = Duration.ZERO;

	/**
	 * Sessions of a client.
	 * @param client the client, requested when it is first needed
	 * @param paths where heartbeats are kept
	 * @param acls who has access
	 * @param reconnected called when the client has connected again
	 */
	HeartbeatSessions(Supplier<CuratorFramework> client, Paths paths, ACLProvider acls, Runnable reconnected) {
		this.source = client;
		this.paths = paths;
		this.acls = acls;
		this.listener = (source, state) -> {
			if (state == ConnectionState.RECONNECTED) {
				reconnected.run();
			}
		};
	}

	/** The present session; waits for a connection as long as the client does. */
	Session session() {
		CuratorZookeeperClient connection = client().getZookeeperClient();
		try {
			boolean connected = connection.getZooKeeper().getSessionId() != 0
					|| connection.blockUntilConnectedOrTimedOut();
			ZooKeeper handle = connection.getZooKeeper();
			if (connected && handle.getSessionId() != 0) {
				return session(handle, handle.getSessionId());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ZooKeeperLeaseStoreException("Interrupted while waiting for a connection to ZooKeeper", ex);
		}
		catch (Exception ex) {
			throw new ZooKeeperLeaseStoreException("There is no connection to ZooKeeper: " + ex.getMessage(), ex);
		}
		throw new ZooKeeperLeaseStoreException(
				"No connection to ZooKeeper at '%s' within %d ms: check 'leader-election.zookeeper.connect-string'"
					.formatted(connection.getCurrentConnectionString(), connection.getConnectionTimeoutMs()));
	}

	private synchronized Session session(ZooKeeper handle, long id) {
		if (this.session == null || !this.session.isOn(handle, id)) {
			this.session = new Session(handle, id, this.acls);
			warnIfTooShort(this.session.timeout());
		}
		return this.session;
	}

	/**
	 * The heartbeat of the present session, or a new one if there is none.
	 * @param lease a lease that it renews
	 * @param limit how long creating it may take
	 * @return its id
	 */
	String heartbeat(Duration lease, Duration limit) {
		Session session = session();
		expect(lease, session);
		synchronized (this.heartbeat) {
			Heartbeat present = this.heartbeat.get();
			if (present == null || present.session != session) {
				present = begin(session, limit);
				this.heartbeat.set(present);
			}
			return present.id;
		}
	}

	private synchronized void expect(Duration lease, Session session) {
		if (lease.compareTo(this.longestLease) > 0) {
			this.longestLease = lease;
			warnIfTooShort(session.timeout());
		}
	}

	private Heartbeat begin(Session session, Duration limit) {
		long deadline = System.nanoTime() + limit.toNanos();
		String id = Paths.newHeartbeat();
		String path = this.paths.heartbeat(id);
		session.createParents(path);
		if (Session.await(session.send(session.creation(path, CreateMode.EPHEMERAL)), deadline) != Code.OK) {
			throw new ZooKeeperLeaseStoreException(("ZooKeeper does not let '%s' be created: create the node of "
					+ "'leader-election.zookeeper.root-path', or allow it to be created")
				.formatted(path));
		}
		return new Heartbeat(id, session);
	}

	/** The present heartbeat, if it is not known to be gone. */
	Optional<String> present() {
		return Optional.ofNullable(this.heartbeat.get()).map(Heartbeat::id);
	}

	/** A heartbeat was found to be gone. Does not wait for one that is being created. */
	void isGone(String id) {
		this.heartbeat.updateAndGet((present) -> (present != null && present.id.equals(id)) ? null : present);
	}

	/** Sessions that end before leases do cost time, and no safety. */
	private void warnIfTooShort(Duration timeout) {
		if (timeout.compareTo(this.longestLease) < 0) {
			logger
				.warn(("ZooKeeper grants a session timeout of %s, which is shorter than the lease of %s: the failover "
						+ "after a crash takes up to twice the lease. Shorten 'leader-election.lease-duration', or "
						+ "lengthen 'leader-election.zookeeper.session-timeout' and the servers' maxSessionTimeout")
					.formatted(timeout, this.longestLease));
		}
	}

	private synchronized CuratorFramework client() {
		if (this.client == null) {
			CuratorFramework made = this.source.get();
			made.getConnectionStateListenable().addListener(this.listener);
			this.client = made;
		}
		return this.client;
	}

	/** The client may be the application's, whose session does not end with the store. */
	synchronized void close() {
		Heartbeat last = this.heartbeat.getAndSet(null);
		if (last != null) {
			last.session.send(Op.delete(this.paths.heartbeat(last.id), -1));
		}
		if (this.client != null) {
			this.client.getConnectionStateListenable().removeListener(this.listener);
		}
	}

	private record Heartbeat(String id, Session session) {
	}

}
