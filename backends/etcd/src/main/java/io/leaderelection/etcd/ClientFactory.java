package io.leaderelection.etcd;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import javax.net.ssl.SSLException;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.netty.handler.ssl.SslContextBuilder;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;

/**
 * The client of an application that has none: made from properties.
 */
final class ClientFactory {

	static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(5);

	/**
	 * A server that is gone without a word is noticed; etcd allows no shorter than 5 s.
	 */
	private static final Duration KEEPALIVE_TIME = Duration.ofSeconds(10);

	private static final Duration KEEPALIVE_TIMEOUT = Duration.ofSeconds(5);

	private final EtcdLeaderElectionProperties properties;

	private final List<EtcdClientBuilderCustomizer> customizers;

	ClientFactory(EtcdLeaderElectionProperties properties, List<EtcdClientBuilderCustomizer> customizers) {
		this.properties = properties;
		this.customizers = customizers;
	}

	Client connect(List<String> endpoints, @Nullable SslBundles bundles) {
		List<URI> servers = endpoints.stream().map(ClientFactory::server).toList();
		ClientBuilder builder = Client.builder()
			.endpoints(servers)
			.connectTimeout(connectTimeout(this.properties))
			.keepaliveTime(KEEPALIVE_TIME)
			.keepaliveTimeout(KEEPALIVE_TIMEOUT)
			// a request that waits for a server to come back is sent when it means
			// nothing
			// any more; the elections ask again by themselves
			.waitForReady(false);
		logIn(builder);
		encrypt(builder, servers, bundles);
		this.customizers.forEach((customizer) -> customizer.customize(builder));
		return builder.build();
	}

	private static URI server(String endpoint) {
		try {
			URI server = URI.create(endpoint.trim());
			if (server.getHost() != null && ("http".equals(server.getScheme()) || "https".equals(server.getScheme()))) {
				return server;
			}
		}
		catch (IllegalArgumentException ex) {
			// said below
		}
		throw EtcdLeaderElectionAutoConfiguration.invalid("endpoints", endpoint,
				"Each has to be the address of a server, such as 'http://localhost:2379' or 'https://etcd-1:2379'.");
	}

	private void logIn(ClientBuilder builder) {
		String user = this.properties.getUser();
		String password = this.properties.getPassword();
		if (user != null && password != null) {
			builder.user(bytes(user)).password(bytes(password));
		}
		else if (user != null || password != null) {
			throw EtcdLeaderElectionAutoConfiguration.invalid((user == null) ? "user" : "password", null,
					"User and password are set both, or neither is. A user that a client certificate names needs neither.");
		}
	}

	private void encrypt(ClientBuilder builder, List<URI> servers, @Nullable SslBundles bundles) {
		Set<String> schemes = servers.stream().map(URI::getScheme).collect(Collectors.toSet());
		String bundle = this.properties.getSsl().getBundle();
		if (schemes.size() > 1) {
			throw EtcdLeaderElectionAutoConfiguration.invalid("endpoints", servers,
					"All have to be 'http', or all 'https': the client speaks one of them with all servers.");
		}
		if (schemes.contains("http")) {
			if (bundle != null) {
				throw EtcdLeaderElectionAutoConfiguration.invalid("ssl.bundle", bundle,
						"It has no effect on servers whose addresses in 'leader-election.etcd.endpoints' begin with 'http:'.");
			}
			return;
		}
		try {
			builder.sslContext((context) -> {
				if (bundle != null && bundles != null) {
					trust(context, bundles.getBundle(bundle));
				}
			});
		}
		catch (SSLException ex) {
			throw new EtcdLeaseStoreException("TLS to etcd cannot be set up: " + ex.getMessage(), ex);
		}
	}

	private static void trust(SslContextBuilder context, SslBundle bundle) {
		context.keyManager(bundle.getManagers().getKeyManagerFactory())
			.trustManager(bundle.getManagers().getTrustManagerFactory());
		SslOptions options = bundle.getOptions();
		if (options.getCiphers() != null) {
			context.ciphers(List.of(options.getCiphers()));
		}
		if (options.getEnabledProtocols() != null) {
			context.protocols(options.getEnabledProtocols());
		}
	}

	static Duration connectTimeout(EtcdLeaderElectionProperties properties) {
		Duration timeout = properties.getConnectTimeout();
		if (timeout == null) {
			return DEFAULT_CONNECT_TIMEOUT;
		}
		if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofDays(1)) > 0) {
			throw EtcdLeaderElectionAutoConfiguration.invalid("connect-timeout", timeout,
					"It has to be at least a millisecond and at most a day.");
		}
		return timeout;
	}

	private static ByteSequence bytes(String text) {
		return ByteSequence.from(text, StandardCharsets.UTF_8);
	}

}
