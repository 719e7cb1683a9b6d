package io.leaderelection.kubernetes;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import io.leaderelection.Registration;
import io.leaderelection.kubernetes.ApiServer.Answer;
import io.leaderelection.store.LeaseStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Labels on the pod of a leader, so that a Service can lead to it. They come late and may
 * stay behind, so they are hints, and whoever follows them has to be ready for a pod that
 * does not lead. Nothing waits for them, and what fails is tried again until it no longer
 * matters.
 */
final class LeaderLabels implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LeaderLabels.class);

	private static final Duration LIMIT = Duration.ofSeconds(3);

	private static final Duration UNTIL_NEXT_TRY = Duration.ofSeconds(3);

	private static final Duration PATIENCE_WHEN_CLOSING = Duration.ofSeconds(1);

	private final ApiServer server;

	private final String pod;

	private final Map<String, String> labels;

	private final Map<String, Boolean> wanted = new HashMap<>();

	private final Map<String, Boolean> done = new HashMap<>();

	private final ScheduledThreadPoolExecutor thread;

	private final Registration registration;

	private boolean failing;

	/**
	 * Begins to label a pod, which has none of the labels from now on until it leads.
	 * @param server where the pod is known
	 * @param pod the name of the pod
	 * @param labels the names of labels by the names of elections
	 * @param elections the elections
	 */
	LeaderLabels(ApiServer server, String pod, Map<String, String> labels, LeaderElections elections) {
		this.server = server;
		this.pod = pod;
		this.labels = Map.copyOf(labels);
		this.thread = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "leader-election-kubernetes-label");
			thread.setDaemon(true);
			return thread;
		}, new ThreadPoolExecutor.DiscardPolicy());
		// a container that crashed as a leader has left them behind
		this.labels.values().forEach((label) -> want(label, false));
		this.registration = elections.forEachElector(this::follow);
	}

	private void follow(LeaderElector elector) {
		String label = this.labels.get(elector.election());
		if (label != null) {
			elector.addListener(new LeadershipListener() {

				@Override
				public void gained(Gained event) {
					want(label, true);
				}

				@Override
				public void lost(Lost event) {
					want(label, false);
				}

			});
		}
	}

	private synchronized void want(String label, boolean leads) {
		this.wanted.put(label, leads);
		this.thread.execute(this::patch);
	}

	private void patch() {
		Map<String, @Nullable String> changes = new HashMap<>();
		Map<String, Boolean> wanted;
		synchronized (this) {
			wanted = new HashMap<>(this.wanted);
		}
		wanted.forEach((label, leads) -> {
			if (!leads.equals(this.done.get(label))) {
				changes.put(label, leads ? "true" : null);
			}
		});
		if (changes.isEmpty()) {
			return;
		}
		try {
			Object patch = Map.of("metadata", Map.of("labels", changes));
			Answer answer = ApiServer.await(this.server.patchPod(this.pod, patch, LIMIT), LIMIT);
			if (!answer.isOk()) {
				throw answer.failure();
			}
			this.done.putAll(wanted);
			this.failing = false;
		}
		catch (LeaseStoreException ex) {
			if (!this.failing) {
				logger.warn(("The labels %s of the pod '%s' cannot be changed, which has no consequence for elections. "
						+ "The service account needs the verb patch on pods")
					.formatted(changes.keySet(), this.pod), ex);
			}
			this.failing = true;
			this.thread.schedule(this::patch, UNTIL_NEXT_TRY.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	@Override
	public void close() {
		this.registration.close();
		this.thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.thread.submit(this.thread::shutdown);
		try {
			if (!this.thread.awaitTermination(PATIENCE_WHEN_CLOSING.toMillis(), TimeUnit.MILLISECONDS)) {
				this.thread.shutdownNow();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
