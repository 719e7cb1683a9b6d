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
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.env.Environment;

/**
 * The client of an application that has none: made from properties, which are checked at
 * once, when it is first needed. So the start of the application does not wait for it.
 */
final class ClientFactory implements AutoCloseable {

	private static final Duration DEFAULT_CONNECTION_TIMEOUT = Duration.ofSeconds(5);

	private final String connectString;

	private final ZooKeeperLeaderElectionProperties properties;

	private final int sessionTimeout;

	private final int connectionTimeout;

	private @Nullable CuratorFramework client;

	private boolean closed;

	ClientFactory(String connectString, ZooKeeperLeaderElectionProperties properties, Environment environment) {
		this.connectString = connectString;
		this.properties = properties;
		this.sessionTimeout = millis("session-timeout", sessionTimeout(properties, environment));
		Duration given = properties.getConnectionTimeout();
		this.connectionTimeout = millis("connection-timeout", (given != null) ? given : DEFAULT_CONNECTION_TIMEOUT);
	}

	synchronized CuratorFramework started() {
		if (this.closed) {
			throw new ZooKeeperLeaseStoreException("The client of ZooKeeper has been closed");
		}
		if (this.client == null) {
			this.client = start();
		}
		return this.client;
	}

	private CuratorFramework start() {
		CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
			.connectString(this.connectString)
			.sessionTimeoutMs(this.sessionTimeout)
			.connectionTimeoutMs(this.connectionTimeout)
			// the store repeats nothing, and neither shall the client
			.retryPolicy(new RetryOneTime(1))
			// servers may know themselves by addresses that are of no use from here
			.ensembleTracker(false);
		String credentials = this.properties.getAuth().getCredentials();
		if (credentials != null) {
			builder.authorization(this.properties.getAuth().getScheme(), credentials.getBytes(StandardCharsets.UTF_8));
		}
		CuratorFramework started = builder.build();
		started.start();
		return started;
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		if (this.client != null) {
			this.client.close();
		}
	}

	static ACLProvider acls(ZooKeeperLeaderElectionProperties properties) {
		return (properties.getAuth().getCredentials() != null) ? new CreatorOnly() : new DefaultACLProvider();
	}

	/**
	 * Longer than a lease, so that a session that is lost for good is no news: by then
	 * the lease has ended.
	 */
	static Duration sessionTimeout(ZooKeeperLeaderElectionProperties properties, Environment environment) {
		Duration given = properties.getSessionTimeout();
		return (given != null) ? given : longestLease(environment).multipliedBy(3).dividedBy(2);
	}

	private static Duration longestLease(Environment environment) {
		Binder binder = Binder.get(environment);
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
			throw ZooKeeperLeaderElectionAutoConfiguration.invalid(property, duration,
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
