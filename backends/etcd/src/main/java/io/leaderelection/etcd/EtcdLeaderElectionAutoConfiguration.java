package io.leaderelection.etcd;

import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.etcd.jetcd.Client;
import io.leaderelection.autoconfigure.ConditionalOnBackend;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionBackend;
import io.leaderelection.store.LeaseStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * Elections in etcd: on the application's own {@link Client} if it has one, and otherwise
 * on a client made from properties.
 */
@AutoConfiguration(before = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(Client.class)
@ConditionalOnBackend("etcd")
@ConditionalOnMissingBean(LeaseStore.class)
@EnableConfigurationProperties(EtcdLeaderElectionProperties.class)
public final class EtcdLeaderElectionAutoConfiguration {

	private static final String PREFIX = "leader-election.etcd.";

	@Bean
	LeaderElectionBackend leaderElectionBackend() {
		return new EtcdBackend();
	}

	@Bean
	EtcdLeaseStore leaderElectionLeaseStore(EtcdLeaderElectionProperties properties,
			ObjectProvider<EtcdConnectionDetails> connectionDetails, ObjectProvider<Client> clients,
			ObjectProvider<EtcdClientBuilderCustomizer> customizers, ObjectProvider<SslBundles> bundles) {
		String prefix = requireValidPrefix(properties.getPrefix());
		if (clients.stream().findAny().isPresent()) {
			return new EtcdLeaseStore(theOne(clients, properties), prefix);
		}
		Duration connectTimeout = ClientFactory.connectTimeout(properties);
		EtcdConnectionDetails details = connectionDetails.getIfAvailable();
		List<String> endpoints = (details != null) ? details.getEndpoints() : properties.getEndpoints();
		if (endpoints.isEmpty()) {
			throw invalid("endpoints", endpoints,
					"Set it to the addresses of the etcd servers, or define a bean of type Client.");
		}
		Client client = new ClientFactory(properties, customizers.orderedStream().toList()).connect(endpoints,
				bundles.getIfAvailable());
		return new EtcdLeaseStore(client, prefix, connectTimeout, InstantSource.system(), client::close);
	}

	private static Client theOne(ObjectProvider<Client> clients, EtcdLeaderElectionProperties properties) {
		Client client = clients.getIfUnique();
		if (client == null) {
			throw new EtcdLeaseStoreException("There are %d beans of type Client".formatted(clients.stream().count()),
					"mark the one that elections shall use as @Primary");
		}
		Map<String, @Nullable Object> without = new LinkedHashMap<>();
		without.put("endpoints", properties.getEndpoints().isEmpty() ? null : properties.getEndpoints());
		without.put("user", properties.getUser());
		without.put("password", properties.getPassword());
		without.put("connect-timeout", properties.getConnectTimeout());
		without.put("ssl.bundle", properties.getSsl().getBundle());
		List<String> set = without.keySet()
			.stream()
			.filter((name) -> without.get(name) != null)
			.map((name) -> "'" + PREFIX + name + "'")
			.toList();
		if (!set.isEmpty()) {
			throw new EtcdLeaseStoreException("Elections use the bean of type Client, which has its own settings",
					"remove %s, or the bean".formatted(String.join(", ", set)));
		}
		return client;
	}

	static String requireValidPrefix(String prefix) {
		if (prefix.isBlank() || prefix.endsWith("/")) {
			throw invalid("prefix", prefix,
					"It has to be what keys may begin with, such as '/leader-election', without a slash at its end.");
		}
		return prefix;
	}

	static InvalidConfigurationPropertyValueException invalid(String property, @Nullable Object value, String reason) {
		return new InvalidConfigurationPropertyValueException(PREFIX + property, value, reason);
	}

}
