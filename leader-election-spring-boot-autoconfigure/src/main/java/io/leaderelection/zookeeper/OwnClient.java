package io.leaderelection.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.leaderelection.ElectionSettings;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.env.Environment;

/**
 * The client of an application that has none: made from properties.
 */
final class OwnClient {

	private static final Duration DEFAULT_CONNECTION_TIMEOUT = Duration.ofSeconds(5);

	private final ZooKeeperLeaderElectionProperties properties;

	private final Environment environment;

	OwnClient(ZooKeeperLeaderElectionProperties properties, Environment environment) {
		this.properties = properties;
		this.environment = environment;
	}

	CuratorFramework start(String connectString) {
		Duration connectionTimeout = this.properties.getConnectionTimeout();
		CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
			.connectString(connectString)
			.sessionTimeoutMs(millis("session-timeout", sessionTimeout()))
			.connectionTimeoutMs(millis("connection-timeout",
					(connectionTimeout != null) ? connectionTimeout : DEFAULT_CONNECTION_TIMEOUT))
			// the store repeats nothing, and neither shall the client
			.retryPolicy(new RetryOneTime(1))
			// servers may know themselves by addresses that are of no use from here
			.ensembleTracker(false);
		String credentials = this.properties.getAuth().getCredentials();
		if (credentials != null) {
			builder.authorization(this.properties.getAuth().getScheme(), credentials.getBytes(StandardCharsets.UTF_8));
		}
		CuratorFramework client = builder.build();
		client.start();
		return client;
	}

	ACLProvider acls() {
		return (this.properties.getAuth().getCredentials() != null) ? new CreatorOnly() : new DefaultACLProvider();
	}

	/**
	 * Longer than a lease, so that a session that is lost for good is no news: by then
	 * the lease has ended.
	 */
	Duration sessionTimeout() {
		Duration given = this.properties.getSessionTimeout();
		return (given != null) ? given : longestLease().multipliedBy(3).dividedBy(2);
	}

	private Duration longestLease() {
		Binder binder = Binder.get(this.environment);
		Duration longest = binder.bind("leader-election.lease-duration", Duration.class)
			.orElseGet(() -> ElectionSettings.defaults().leaseDuration());
		Map<String, Object> elections = binder
			.bind("leader-election.elections", Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of());
		for (Object election : elections.values()) {
			if (election instanceof Map<?, ?> settings) {
				for (Map.Entry<?, ?> setting : settings.entrySet()) {
					Duration lease = leaseDuration(setting);
					longest = (lease.compareTo(longest) > 0) ? lease : longest;
				}
			}
		}
		return longest;
	}

	private static Duration leaseDuration(Map.Entry<?, ?> setting) {
		String name = String.valueOf(setting.getKey()).toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
		Duration lease = name.equals("leaseduration")
				? ApplicationConversionService.getSharedInstance().convert(setting.getValue(), Duration.class) : null;
		return (lease != null) ? lease : Duration.ZERO;
	}

	private static int millis(String property, Duration duration) {
		if (duration.compareTo(Duration.ofMillis(1)) < 0 || duration.compareTo(Duration.ofDays(1)) > 0) {
			throw ZooKeeperLeaseStoreConfiguration.invalid(property, duration,
					"It has to be at least a millisecond and at most a day.");
		}
		return (int) duration.toMillis();
	}

	/** Nobody but those with the same credentials has access. */
	private static final class CreatorOnly implements ACLProvider {

		private static final List<ACL> ALL_FOR_CREATOR = List.of(new ACL(ZooDefs.Perms.ALL, new Id("auth", "")));

		@Override
		public List<ACL> getDefaultAcl() {
			return ALL_FOR_CREATOR;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			return ALL_FOR_CREATOR;
		}

	}

}
