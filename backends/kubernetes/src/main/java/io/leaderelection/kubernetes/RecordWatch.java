package io.leaderelection.kubernetes;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.leaderelection.store.observed.LeaseRecords;
import io.leaderelection.store.observed.RecordSnapshot;
import io.leaderelection.store.LeaseStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One watch for all elections of a node. It shows renewals, so that the end of a lease is
 * known to the moment, and what becomes free. What it shows late or not at all costs time
 * only.
 *
 * <p>
 * However a watch ends, it begins anew at the present version, and all candidates ask
 * once: also when the version that it had come to is no longer kept (410). It is begun
 * anew every few minutes in any case, since a connection can be gone without a word.
 */
final class RecordWatch {

	private static final Log logger = LogFactory.getLog(RecordWatch.class);

	private static final Duration LONGEST = Duration.ofMinutes(5);

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private static final long FIRST_PAUSE_MILLIS = 50;

	private static final long LONGEST_PAUSE_MILLIS = 5000;

	private final KubernetesClient client;

	private final String namespace;

	private final ApiServer server;

	private final LeaseNames names;

	private final String selector;

	private final List<LeaseRecords.Watcher> watchers = new CopyOnWriteArrayList<>();

	private @Nullable View view;

	RecordWatch(KubernetesClient client, String namespace, ApiServer server, LeaseNames names, String selector) {
		this.client = client
			.newClient(new RequestConfigBuilder(ApiServer.once()).withRequestTimeout((int) LIMIT.toMillis()).build())
			.adapt(KubernetesClient.class);
		this.namespace = namespace;
		this.server = server;
		this.names = names;
		this.selector = selector;
	}

	synchronized LeaseStore.Watch begin(LeaseRecords.Watcher watcher) {
		this.watchers.add(watcher);
		if (this.view == null) {
			this.view = new View();
		}
		return () -> end(watcher);
	}

	private synchronized void end(LeaseRecords.Watcher watcher) {
		this.watchers.remove(watcher);
		if (this.watchers.isEmpty()) {
			close();
		}
	}

	synchronized void close() {
		if (this.view != null) {
			this.view.end();
			this.view = null;
		}
	}

	/**
	 * The watch and the thread that begins it anew.
	 */
	private final class View {

		private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "leader-election-kubernetes-watch");
			thread.setDaemon(true);
			return thread;
		}, new ThreadPoolExecutor.DiscardPolicy());

		private volatile boolean ended;

		private volatile @Nullable Connection connection;

		private long pause = FIRST_PAUSE_MILLIS;

		private boolean failing;

		View() {
			this.thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
			this.thread.execute(this::connect);
		}

		private void connect() {
			if (this.ended) {
				return;
			}
			try {
				String version = ApiServer
					.await(RecordWatch.this.server.version(RecordWatch.this.selector, LIMIT), LIMIT)
					.leases()
					.getMetadata()
					.getResourceVersion();
				Connection present = new Connection(this, version);
				this.connection = present;
				if (this.ended) {
					present.close();
				}
				if (this.failing) {
					logger.info("Leases are watched again");
				}
				this.failing = false;
				// what comes next is shown; what was before has to be asked for
				RecordWatch.this.watchers.forEach(LeaseRecords.Watcher::mayHaveMissed);
			}
			catch (RuntimeException ex) {
				if (!this.failing) {
					logger.warn("Leases cannot be watched, so that candidates ask at the end of a lease only", ex);
				}
				this.failing = true;
				again();
			}
		}

		/** Whatever ended the watch, unless another has taken its place. */
		void isOver(Connection over, @Nullable Exception cause) {
			later(0, () -> {
				if (this.connection == over) {
					logger.debug("The watch on Leases has ended and begins anew", cause);
					this.connection = null;
					over.close();
					if (over.lasted()) {
						this.pause = FIRST_PAUSE_MILLIS;
					}
					again();
				}
			});
		}

		private void again() {
			long millis = this.pause;
			this.pause = Math.min(2 * millis, LONGEST_PAUSE_MILLIS);
			later(millis, this::connect);
		}

		void later(long millis, Runnable task) {
			this.thread.schedule(task, millis, TimeUnit.MILLISECONDS);
		}

		void end() {
			this.ended = true;
			this.thread.shutdown();
			Connection present = this.connection;
			if (present != null) {
				present.close();
			}
		}

	}

	/**
	 * One watch of the client, which does not begin anew by itself.
	 */
	private final class Connection implements Watcher<Lease> {

		private final View view;

		private final long since = System.nanoTime();

		private final Watch watch;

		Connection(View view, String version) {
			this.view = view;
			ListOptions options = new ListOptionsBuilder().withLabelSelector(RecordWatch.this.selector)
				.withResourceVersion(version)
				.withTimeoutSeconds(LONGEST.toSeconds())
				.build();
			this.watch = RecordWatch.this.client.leases().inNamespace(RecordWatch.this.namespace).watch(options, this);
			view.later(LONGEST.toMillis(), () -> view.isOver(this, null));
		}

		boolean lasted() {
			return System.nanoTime() - this.since > Duration.ofSeconds(1).toNanos();
		}

		void close() {
			this.watch.close();
		}

		@Override
		public void eventReceived(Action action, Lease lease) {
			switch (action) {
				case ADDED, MODIFIED -> show(lease, ElectionLease.sight(lease));
				case DELETED -> show(lease, new RecordSnapshot.Absent());
				default -> {
				}
			}
		}

		private void show(Lease lease, RecordSnapshot sight) {
			RecordWatch.this.names.electionOf(lease.getMetadata().getName())
				.ifPresent((election) -> RecordWatch.this.watchers.forEach((watcher) -> watcher.saw(election, sight)));
		}

		@Override
		public void onClose(WatcherException cause) {
			this.view.isOver(this, cause);
		}

		@Override
		public void onClose() {
			this.view.isOver(this, null);
		}

	}

}
