package io.leaderelection.etcd;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import io.leaderelection.store.observed.LeaseRecords.Watcher;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One watch for all elections of a node. It reports records, so that candidates write
 * without reading first when a lease becomes free, and heartbeats, so that the end of a
 * lease is known to the moment. A report that is late or missing costs time only.
 */
final class RecordWatch {

	private static final Log logger = LogFactory.getLog(RecordWatch.class);

	private static final long MILLIS_UNTIL_NEXT_TRY = 500;

	private final Client client;

	private final Keys keys;

	private final HeartbeatSessions sessions;

	private final List<Watcher> watchers = new CopyOnWriteArrayList<>();

	private @Nullable View view;

	RecordWatch(Client client, Keys keys, HeartbeatSessions sessions) {
		this.client = client;
		this.keys = keys;
		this.sessions = sessions;
	}

	synchronized void add(Watcher watcher) {
		this.watchers.add(watcher);
		if (this.view == null) {
			this.view = new View();
		}
	}

	synchronized void remove(Watcher watcher) {
		if (this.watchers.remove(watcher) && this.watchers.isEmpty()) {
			close();
		}
	}

	synchronized void close() {
		if (this.view != null) {
			this.view.end();
			this.view = null;
		}
	}

	private void heartbeatChanged(String id, KeySnapshot seen) {
		if (seen.isNothing()) {
			this.sessions.isGone(id);
		}
		this.watchers.forEach((watcher) -> watcher.sawHeartbeat(EtcdLeaseRecords.heartbeat(id, seen)));
	}

	private void recordChanged(String election, KeySnapshot seen) {
		this.watchers.forEach((watcher) -> watcher.saw(election, EtcdLeaseRecords.record(this.keys, election, seen)));
	}

	private synchronized void replace(View broken) {
		if (this.view == broken) {
			broken.end();
			try {
				this.view = new View();
			}
			catch (RuntimeException ex) {
				this.view = null;
				logger.warn(
						"Elections in etcd are no longer watched, so that candidates ask at the end of a lease only",
						ex);
			}
		}
	}

	/**
	 * The watch of the client, which begins it anew by itself after most failures.
	 */
	private final class View implements io.etcd.jetcd.Watch.Listener {

		private final Executor later = CompletableFuture.delayedExecutor(MILLIS_UNTIL_NEXT_TRY, TimeUnit.MILLISECONDS,
				Runnable::run);

		private final io.etcd.jetcd.Watch.Watcher watch;

		private volatile boolean ended;

		private volatile long revision;

		View() {
			WatchOption option = WatchOption.builder()
				.withRange(RecordWatch.this.keys.watchedUntil())
				.withCreateNotify(true)
				// a server that is cut off from the others shall not let us wait in vain
				.withRequireLeader(true)
				.build();
			this.watch = RecordWatch.this.client.getWatchClient()
				.watch(RecordWatch.this.keys.watchedFrom(), option, this);
		}

		void end() {
			this.ended = true;
			this.watch.close();
		}

		@Override
		public void onNext(WatchResponse response) {
			if (this.ended) {
				return;
			}
			long present = response.getHeader().getRevision();
			if (response.isCreatedNotify()) {
				if (present < this.revision) {
					// a data directory was replaced: what comes next has a revision that
					// the client takes for seen, so that it would not be shown
					logger.info(
							("The revision of etcd has gone back from %d to %d: its data was replaced, or this server "
									+ "lags behind others")
								.formatted(this.revision, present));
					this.later.execute(() -> replace(this));
				}
				RecordWatch.this.watchers.forEach(Watcher::mayHaveMissed);
			}
			this.revision = Math.max(this.revision, present);
			response.getEvents().forEach(this::onEvent);
		}

		private void onEvent(WatchEvent event) {
			KeyValue key = event.getKeyValue();
			KeySnapshot seen = (event.getEventType() == WatchEvent.EventType.DELETE) ? KeySnapshot.NOTHING
					: KeySnapshot.of(key);
			RecordWatch.this.keys.heartbeatOf(key.getKey())
				.ifPresentOrElse((heartbeat) -> heartbeatChanged(heartbeat, seen),
						() -> RecordWatch.this.keys.electionOf(key.getKey())
							.ifPresent((election) -> recordChanged(election, seen)));
		}

		@Override
		public void onError(Throwable failure) {
			logger.debug("The watch on etcd is interrupted", failure);
		}

		@Override
		public void onCompleted() {
			// the client has given up: history was compacted, or there is no quorum
			if (!this.ended) {
				this.later.execute(() -> replace(this));
			}
		}

	}

}
