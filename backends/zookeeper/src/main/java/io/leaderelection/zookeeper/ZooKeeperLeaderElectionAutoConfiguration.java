package io.leaderelection.zookeeper;

import java.util.ArrayList;
import java.util.List;

import io.leaderelection.autoconfigure.ConditionalOnBackend;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionBackend;
import io.leaderelection.store.LeaseStore;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.core.Ordered;

/**
 * Elections in ZooKeeper: on the application's own {@link CuratorFramework} if it has
 * one, and otherwise on a client made from properties. An application that brings its own
 * client decides about access by a bean of type {@link ACLProvider}.
 */
@AutoConfiguration(before = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(CuratorFramework.class)
@ConditionalOnBackend("zookeeper")
@ConditionalOnMissingBean(LeaseStore.class)
@EnableConfigurationProperties(ZooKeeperLeaderElectionProperties.class)
@ImportRuntimeHints(ZooKeeperLeaderElectionAutoConfiguration.Hints.class)
public final class ZooKeeperLeaderElectionAutoConfiguration {

	private static final String PREFIX = "leader-election.zookeeper.";

	@Bean
	LeaderElectionBackend leaderElectionBackend() {
		return new ZooKeeperBackend();
	}

	@Bean
	ZooKeeperLeaseStore leaderElectionLeaseStore(ZooKeeperLeaderElectionProperties properties,
			ObjectProvider<ZooKeeperConnectionDetails> connectionDetails, ObjectProvider<CuratorFramework> clients,
			ObjectProvider<ACLProvider> acls, Environment environment) {
		requireValidPath(properties.getRootPath());
		ACLProvider access = acls.getIfUnique(() -> ClientFactory.acls(properties));
		if (clients.stream().findAny().isPresent()) {
			CuratorFramework client = theOne(clients, properties);
			return new ZooKeeperLeaseStore(client.getNamespace(), () -> client, properties.getRootPath(), access,
					() -> {
					});
		}
		ZooKeeperConnectionDetails details = connectionDetails.getIfAvailable();
		ClientFactory own = new ClientFactory(
				(details != null) ? details.getConnectString() : connectString(properties.getConnectString()),
				properties, environment);
		return new ZooKeeperLeaseStore("", own::started, properties.getRootPath(), access, own::close);
	}

	private static CuratorFramework theOne(ObjectProvider<CuratorFramework> clients,
			ZooKeeperLeaderElectionProperties properties) {
		CuratorFramework client = clients.getIfUnique();
		if (client == null) {
			throw new ZooKeeperLeaseStoreException(
					"There are %d beans of type CuratorFramework".formatted(clients.stream().count()),
					"mark the one that elections shall use as @Primary");
		}
		List<String> without = new ArrayList<>();
		note(without, "connect-string", properties.getConnectString());
		note(without, "session-timeout", properties.getSessionTimeout());
		note(without, "connection-timeout", properties.getConnectionTimeout());
		note(without, "auth.credentials", properties.getAuth().getCredentials());
		if (!without.isEmpty()) {
			throw new ZooKeeperLeaseStoreException(
					"Elections use the bean of type CuratorFramework, which has its own settings",
					"remove %s, or the bean".formatted(String.join(", ", without)));
		}
		return client;
	}

	private static void note(List<String> names, String property, @Nullable Object value) {
		if (value != null) {
			names.add("'" + PREFIX + property + "'");
		}
	}

	private static String connectString(@Nullable String connectString) {
		if (connectString == null || connectString.isBlank()) {
			throw invalid("connect-string", connectString,
					"Set it to host and port of the ZooKeeper servers, or define a bean of type CuratorFramework.");
		}
		try {
			new ConnectStringParser(connectString);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("connect-string", connectString,
					"It has to be host and port of the ZooKeeper servers, such as 'zk1:2181,zk2:2181': "
							+ ex.getMessage() + ".");
		}
		return connectString;
	}

	static void requireValidPath(String path) {
		try {
			PathUtils.validatePath(path);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("root-path", path,
					"It has to be the path of a ZooKeeper node, such as '/leader-election': " + ex.getMessage() + ".");
		}
	}

	static InvalidConfigurationPropertyValueException invalid(String property, @Nullable Object value, String reason) {
		return new InvalidConfigurationPropertyValueException(PREFIX + property, value, reason);
	}

	/** ZooKeeper's client creates its connection by the name of a class. */
	static class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.reflection()
				.registerTypeIfPresent(classLoader, "org.apache.zookeeper.ClientCnxnSocketNIO",
						MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
		}

	}

}
