package io.leaderelection.kubernetes;

import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.Set;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.leaderelection.autoconfigure.ConditionalOnBackend;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionBackend;
import io.leaderelection.LeaderElections;
import io.leaderelection.store.LeaseStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.Ordered;
import org.springframework.util.StringUtils;

/**
 * Elections by Leases of Kubernetes: on the application's own {@link KubernetesClient} if
 * it has one, and otherwise on one that finds its configuration by itself.
 */
@AutoConfiguration(before = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(KubernetesClient.class)
@ConditionalOnBackend("kubernetes")
@ConditionalOnMissingBean(LeaseStore.class)
@EnableConfigurationProperties(KubernetesLeaderElectionProperties.class)
public final class KubernetesLeaderElectionAutoConfiguration {

	private static final String PREFIX = "leader-election.kubernetes.";

	private static final Pattern LABEL = Pattern
		.compile("([a-z0-9]([a-z0-9.-]*[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?");

	@Bean
	LeaderElectionBackend leaderElectionBackend() {
		return new KubernetesBackend();
	}

	@Bean
	KubernetesAccess leaderElectionKubernetesAccess(KubernetesLeaderElectionProperties properties,
			ObjectProvider<KubernetesClient> clients) {
		String namespace = properties.getNamespace();
		if (namespace != null && !LeaseNames.isPlain(namespace)) {
			throw invalid("namespace", namespace, "It has to be the name of a namespace.");
		}
		return KubernetesAccess.of(clients, namespace);
	}

	@Bean
	KubernetesLeaseStore leaderElectionLeaseStore(KubernetesLeaderElectionProperties properties,
			KubernetesAccess access) {
		if (!LeaseNames.isPlain(properties.getPrefix())) {
			throw invalid("prefix", properties.getPrefix(),
					"It has to be what names of Leases may begin with: at most 63 lower case letters, digits and "
							+ "hyphens, with a letter or digit at both ends.");
		}
		return new KubernetesLeaseStore(access.client(), access.namespace(), properties.getPrefix(),
				InstantSource.system(), () -> {
				});
	}

	@Bean
	LeaderLabelsOfApplication leaderElectionLeaderLabels(KubernetesLeaderElectionProperties properties,
			ObjectProvider<KubernetesAccess> access, ObjectProvider<LeaderElections> leaderElections,
			Environment environment) {
		return new LeaderLabelsOfApplication(properties, access, leaderElections, environment);
	}

	static InvalidConfigurationPropertyValueException invalid(String property, @Nullable Object value, String reason) {
		return new InvalidConfigurationPropertyValueException(PREFIX + property, value, reason);
	}

	/**
	 * Begins to label the pod once all elections are known, if any label is wished for.
	 */
	static final class LeaderLabelsOfApplication implements SmartInitializingSingleton, AutoCloseable {

		private final Map<String, String> labels;

		private final @Nullable String pod;

		private final ObjectProvider<KubernetesAccess> access;

		private final ObjectProvider<LeaderElections> elections;

		private @Nullable LeaderLabels present;

		LeaderLabelsOfApplication(KubernetesLeaderElectionProperties properties,
				ObjectProvider<KubernetesAccess> access, ObjectProvider<LeaderElections> elections,
				Environment environment) {
			this.labels = requireValid(properties.getLeaderLabel());
			this.pod = pod(properties, environment);
			this.access = access;
			this.elections = elections;
			if (!this.labels.isEmpty() && this.pod == null) {
				throw invalid("pod-name", null,
						"A label of the leader's pod is wished for, and neither POD_NAME nor HOSTNAME say which it is.");
			}
		}

		private static Map<String, String> requireValid(Map<String, String> labels) {
			Set<String> distinct = new HashSet<>();
			labels.forEach((election, label) -> {
				if (!LABEL.matcher(label).matches()) {
					throw invalid("leader-label." + election, label,
							"It has to be the name of a label, such as 'example.org/leads-reports'.");
				}
				if (!distinct.add(label)) {
					throw invalid("leader-label." + election, label, "Each election needs a label of its own.");
				}
			});
			return labels;
		}

		private static @Nullable String pod(KubernetesLeaderElectionProperties properties, Environment environment) {
			for (String name : new @Nullable String[] { properties.getPodName(), environment.getProperty("POD_NAME"),
					environment.getProperty("HOSTNAME") }) {
				if (StringUtils.hasText(name)) {
					return name;
				}
			}
			return null;
		}

		@Override
		public void afterSingletonsInstantiated() {
			KubernetesAccess found = this.access.getIfAvailable();
			LeaderElections led = this.elections.getIfAvailable();
			if (!this.labels.isEmpty() && this.pod != null && found != null && led != null) {
				this.present = new LeaderLabels(new ApiServer(found.client(), found.namespaceOfPod()), this.pod,
						this.labels, led);
			}
		}

		@Override
		public void close() {
			if (this.present != null) {
				this.present.close();
			}
		}

	}

}
