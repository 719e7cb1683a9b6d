package io.leaderelection.etcd;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import io.leaderelection.store.WakeUps;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One watch for all elections of a node. It shows records, so that those who wait for one
 * are woken up when it becomes free and need not read it first; and proofs of life, so
 * that the end of a lease is known to the moment. What it shows late or not at all costs
 * time only.
 */
final class Watching {

	private static final Log logger = LogFactory.getLog(Watching.class);

	private static final long MILLIS_UNTIL_NEXT_TRY = 500;

	private final Client client;

	private final Keys keys;

	private final Looks looks;

	private final Sightings sightings;

	private final Sessions sessions;

	private final List<WakeUps> listeners = new CopyOnWriteArrayList<>();

	private final Set<String> waitedFor = ConcurrentHashMap.newKeySet();

	private final Map<String, Look> free = new ConcurrentHashMap<>();

	private @Nullable View view;

	Watching(Client client, Keys keys, Looks looks, Sightings sightings, Sessions sessions) {
		this.client = client;
		this.keys = keys;
		this.looks = looks;
		this.sightings = sightings;
		this.sessions = sessions;
	}

	synchronized void add(WakeUps listener) {
		this.listeners.add(listener);
		if (this.view == null) {
			this.view = new View();
		}
	}

	/**
	 * Takes a listener away.
	 * @return whether it was the last
	 */
	synchronized boolean remove(WakeUps listener) {
		boolean last = this.listeners.remove(listener) && this.listeners.isEmpty();
		if (last) {
			close();
		}
		return last;
	}

	synchronized void close() {
		if (this.view != null) {
			this.view.end();
			this.view = null;
		}
		this.free.clear();
	}

	/** From now on, until it leads, this node wants to know when the lease is free. */
	void waitsFor(String election) {
		if (!this.listeners.isEmpty()) {
			this.waitedFor.add(election);
		}
	}

	void waitsNoLongerFor(String election) {
		this.waitedFor.remove(election);
	}

	/**
	 * A free lease as it was shown last, and not been asked for yet. It may be older than
	 * the question, so nobody is refused by it.
	 */
	Optional<Look> shown(String election) {
		return Optional.ofNullable(this.free.remove(election));
	}

	private void proofChanged(String session, Seen seen) {
		this.sightings.sawProof(session, seen);
		if (seen.isNothing()) {
			this.sessions.isGone(session);
		}
	}

	private void recordChanged(String election, Seen seen) {
		Look look = this.looks.shown(election, seen);
		if (!this.waitedFor.contains(election)) {
			return;
		}
		LeaseRecord record = look.record();
		if (record != null && record.isForAnybody()) {
			this.free.put(election, look);
		}
		else {
			this.free.remove(election);
		}
		if (record == null || record.holder() == null) {
			this.listeners.forEach((listener) -> listener.wakeUp(election));
		}
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
	private final class View implements Watch.Listener {

		private final Executor later = CompletableFuture.delayedExecutor(MILLIS_UNTIL_NEXT_TRY, TimeUnit.MILLISECONDS,
				Runnable::run);

		private final Watch.Watcher watcher;

		private volatile boolean ended;

		private volatile long revision;

		View() {
			WatchOption option = WatchOption.builder()
				.withRange(Watching.this.keys.watchedUntil())
				.withCreateNotify(true)
				// a server that is cut off from the others shall not let us wait in vain
				.withRequireLeader(true)
				.build();
			this.watcher = Watching.this.client.getWatchClient().watch(Watching.this.keys.watchedFrom(), option, this);
		}

		void end() {
			this.ended = true;
			this.watcher.close();
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
				Watching.this.free.clear();
				Watching.this.listeners.forEach(WakeUps::wakeUpAll);
			}
			this.revision = Math.max(this.revision, present);
			response.getEvents().forEach(this::onEvent);
		}

		private void onEvent(WatchEvent event) {
			KeyValue key = event.getKeyValue();
			Seen seen = (event.getEventType() == WatchEvent.EventType.DELETE) ? Seen.NOTHING : Seen.of(key);
			Watching.this.keys.sessionOf(key.getKey())
				.ifPresentOrElse((session) -> proofChanged(session, seen),
						() -> Watching.this.keys.electionOf(key.getKey())
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
