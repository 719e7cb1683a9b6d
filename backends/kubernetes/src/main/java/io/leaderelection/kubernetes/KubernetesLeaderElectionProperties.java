package io.leaderelection.kubernetes;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of elections by Leases of Kubernetes.
 */
@ConfigurationProperties("leader-election.kubernetes")
class KubernetesLeaderElectionProperties {

	/**
	 * Namespace of the Leases. By default, that of the service account, or of the
	 * client's configuration.
	 */
	private @Nullable String namespace;

	/**
	 * What the names of all Leases begin with: lower case letters, digits and hyphens.
	 */
	private String prefix = "leader-election";

	/**
	 * Name of the pod that this application runs in, for labels of the leader. By
	 * default, what POD_NAME says, or else HOSTNAME.
	 */
	private @Nullable String podName;

	/**
	 * Labels that the pod of a leader has, by the names of elections: 'true' as long as
	 * it leads, and absent otherwise. A hint, and no proof.
	 */
	private Map<String, String> leaderLabel = new LinkedHashMap<>();

	public @Nullable String getNamespace() {
		return this.namespace;
	}

	public void setNamespace(@Nullable String namespace) {
		this.namespace = namespace;
	}

	public String getPrefix() {
		return this.prefix;
	}

	public void setPrefix(String prefix) {
		this.prefix = prefix;
	}

	public @Nullable String getPodName() {
		return this.podName;
	}

	public void setPodName(@Nullable String podName) {
		this.podName = podName;
	}

	public Map<String, String> getLeaderLabel() {
		return this.leaderLabel;
	}

	public void setLeaderLabel(Map<String, String> leaderLabel) {
		this.leaderLabel = leaderLabel;
	}

}
