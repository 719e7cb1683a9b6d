package io.leaderelection.etcd;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.stub.StreamObserver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The present session of this node, one for all its elections: an etcd lease that the
 * client keeps alive on one stream, and a key for proofs of life that is deleted with it.
 *
 * <p>
 * That etcd still knows the lease proves nothing: keep-alives are not replicated, and a
 * server that was replaced as the leading one may answer them, or end leases, until it
 * notices. The lease only clears away what a node leaves behind.
 */
final class HeartbeatSessions {

	private static final Log logger = LogFactory.getLog(HeartbeatSessions.class);

	private static final Duration SHORTEST_TTL = Duration.ofSeconds(10);

	private static final Duration PATIENCE_WHEN_CLOSING = Duration.ofSeconds(1);

	private final Client client;

	private final Keys keys;

	private final Duration connectTimeout;

	private volatile @Nullable Kept present;

	private Duration longestLease = Duration.ZERO;

	private boolean closed;

	HeartbeatSessions(Client client, Keys keys, Duration connectTimeout) {
		this.client = client;
		this.keys = keys;
		this.connectTimeout = connectTimeout;
	}

	/** The present session, or a new one if there is none or it has ended. */
	synchronized Session session(Duration lease) {
		this.longestLease = (lease.compareTo(this.longestLease) > 0) ? lease : this.longestLease;
		Kept kept = this.present;
		if (kept == null || kept.gone.get() || isTooShort(kept)) {
			stopKeeping(kept);
			kept = begin();
			this.present = kept;
		}
		return kept.session;
	}

	/** The present session, if it is not known to have ended. */
	Optional<Session> present() {
		return Optional.ofNullable(this.present).filter((kept) -> !kept.gone.get()).map((kept) -> kept.session);
	}

	/** A crashed node is to be missed when its leases end, not when its traces do. */
	private boolean isTooShort(Kept kept) {
		return kept.ttl.compareTo(this.longestLease.multipliedBy(3).dividedBy(2)) < 0;
	}

	private Kept begin() {
		if (this.closed) {
			throw new EtcdLeaseStoreException("The store is closed");
		}
		Etcd etcd = Etcd.within(this.client, this.connectTimeout);
		Duration ttl = this.longestLease.multipliedBy(2);
		long seconds = Math.max(ttl.toSeconds() + 1, SHORTEST_TTL.toSeconds());
		// a server may grant more than it was asked for, and never less
		long lease = etcd.await(etcd.leases().grant(seconds)).getID();
		Session session = Session.of(this.keys, lease);
		Optional<Long> created = etcd
			.await(etcd.commit(KeySnapshot.NOTHING.unchanged(session.key()), List.of(session.beat())));
		if (created.isEmpty()) {
			throw new EtcdLeaseStoreException("There is a session with the name of a new one");
		}
		return new Kept(session, Duration.ofSeconds(seconds));
	}

	/**
	 * Whoever finds the proof of life of a session gone says so here, without waiting.
	 */
	void isGone(String session) {
		Kept kept = this.present;
		if (kept != null && kept.session.id().equals(session)) {
			kept.gone.set(true);
		}
	}

	private static void stopKeeping(@Nullable Kept kept) {
		if (kept != null) {
			kept.keepAlive.close();
		}
	}

	/** Takes this node's traces away, unless that takes too long: then they end later. */
	synchronized void close() {
		this.closed = true;
		Kept kept = this.present;
		stopKeeping(kept);
		if (kept != null && !kept.gone.get()) {
			CompletableFuture<?> revoked = this.client.getLeaseClient().revoke(kept.session.etcdLease());
			try {
				revoked.get(PATIENCE_WHEN_CLOSING.toMillis(), TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			catch (Exception ex) {
				logger.debug("The etcd lease of this node could not be revoked, and ends by itself", ex);
			}
		}
		this.present = null;
	}

	/** A session whose etcd lease is kept alive by the client. */
	private final class Kept implements StreamObserver<LeaseKeepAliveResponse> {

		private final Session session;

		private final Duration ttl;

		private final AtomicBoolean gone = new AtomicBoolean();

		private final CloseableClient keepAlive;

		Kept(Session session, Duration ttl) {
			this.session = session;
			this.ttl = ttl;
			this.keepAlive = HeartbeatSessions.this.client.getLeaseClient().keepAlive(session.etcdLease(), this);
		}

		@Override
		public void onNext(LeaseKeepAliveResponse answer) {
		}

		@Override
		public void onError(Throwable failure) {
			// the client tries again by itself, unless the lease has ended
			if (Etcd.failure(failure) instanceof Etcd.SessionGoneException) {
				this.gone.set(true);
			}
		}

		@Override
		public void onCompleted() {
			// the client has given up, and so the lease will end
			this.gone.set(true);
		}

	}

	/**
	 * The key of a node's heartbeats. It is created once, and written only while it
	 * exists: a heartbeat that is gone stays gone, so a node that finds none can have
	 * missed none.
	 *
	 * @param id names the heartbeat in records
	 * @param key the key
	 * @param etcdLease the etcd lease that the key, and those of candidates, end with
	 */
	record Session(String id, ByteSequence key, long etcdLease) {

		static Session of(Keys keys, long etcdLease) {
			String id = UUID.randomUUID().toString();
			return new Session(id, keys.heartbeat(id), etcdLease);
		}

		/** True as long as the heartbeat exists. */
		Cmp exists() {
			return KeySnapshot.present(this.key);
		}

		/** A heartbeat: no two are the same. */
		Op beat() {
			return attached(this.key, Keys.bytes(UUID.randomUUID().toString()));
		}

		/** Writes a key that ends with the session. */
		Op attached(ByteSequence key, ByteSequence value) {
			return Op.put(key, value, PutOption.builder().withLeaseId(this.etcdLease).build());
		}

	}

}
