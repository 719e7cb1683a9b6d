package io.leaderelection.benchmarks.peers.node;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * fabric8's elector. The renew deadline and the retry period are the parts of the lease
 * that they are in its documentation (10 s and 2 s of 15 s). An elector that has lost its
 * leadership is started again, since it ends then.
 */
@Configuration(proxyBeanMethods = false)
class Fabric8 {

	private static final String NAMESPACE = "default";

	@Bean(destroyMethod = "close")
	KubernetesClient kubernetes(NodeSettings settings) {
		return new KubernetesClientBuilder()
			.withConfig(new ConfigBuilder().withMasterUrl("http://127.0.0.1:" + settings.port())
				.withNamespace(NAMESPACE)
				.build())
			.build();
	}

	@Bean
	Electors candidacy(KubernetesClient kubernetes, NodeSettings settings) {
		return new Electors(IntStream.range(0, settings.elections())
			.mapToObj((election) -> new Elector(kubernetes, settings, election))
			.toList());
	}

	private record Electors(List<Elector> electors) implements Candidacy, AutoCloseable {

		Electors {
			electors.forEach(Elector::start);
		}

		@Override
		public boolean leads(int election) {
			return this.electors.get(election).leading;
		}

		@Override
		public void close() {
			this.electors.forEach(Elector::stop);
		}

	}

	private static final class Elector {

		private final KubernetesClient kubernetes;

		private final LeaderElectionConfig config;

		private volatile boolean leading;

		private volatile boolean stopped;

		private volatile CompletableFuture<?> running = CompletableFuture.completedFuture(null);

		Elector(KubernetesClient kubernetes, NodeSettings settings, int election) {
			this.kubernetes = kubernetes;
			Duration lease = settings.lease();
			this.config = new LeaderElectionConfigBuilder().withName(NodeSettings.name(election))
				.withLeaseDuration(lease)
				.withRenewDeadline(lease.multipliedBy(10).dividedBy(15))
				.withRetryPeriod(lease.multipliedBy(2).dividedBy(15))
				.withReleaseOnCancel()
				.withLock(new LeaseLock(NAMESPACE, NodeSettings.name(election), settings.id()))
				.withLeaderCallbacks(new LeaderCallbacks(() -> gained(election), () -> this.leading = false, (id) -> {
				}))
				.build();
		}

		private void gained(int election) {
			this.leading = true;
			Diary.gained(election);
		}

		private void start() {
			if (!this.stopped) {
				this.running = this.kubernetes.leaderElector().withConfig(this.config).build().start();
				this.running.whenComplete((result, failure) -> start());
			}
		}

		private void stop() {
			this.stopped = true;
			this.running.cancel(true);
		}

	}

}
