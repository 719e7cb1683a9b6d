package io.leaderelection.sample.demo;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaderelection.zookeeper.ZooKeeperConnectionDetails;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Leads all that this node is connected to through its {@link Cable}.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("demo.controls.enabled")
class ConnectionsThroughCable {

	/** A database on the network; one in a file has no such part. */
	private static final Pattern SERVER = Pattern.compile("//(?<host>[^:/?]+):(?<port>\\d+)");

	@Bean
	JdbcConnectionDetails databaseThroughCable(DataSourceProperties properties, Cable cable) {
		String url = throughCable(properties.determineUrl(), cable);
		return new JdbcConnectionDetails() {

			@Override
			public String getJdbcUrl() {
				return url;
			}

			@Override
			public @Nullable String getUsername() {
				return properties.determineUsername();
			}

			@Override
			public @Nullable String getPassword() {
				return properties.determinePassword();
			}

		};
	}

	private static String throughCable(String url, Cable cable) {
		Matcher server = SERVER.matcher(url);
		if (!server.find()) {
			return url;
		}
		int port = cable.leadTo(server.group("host"), Integer.parseInt(server.group("port")));
		return server.replaceFirst("//localhost:" + port);
	}

	@Bean
	@ConditionalOnProperty(name = "leader-election.backend", havingValue = "redis")
	DataRedisConnectionDetails redisThroughCable(DataRedisProperties properties, Cable cable) {
		DataRedisConnectionDetails.Standalone server = DataRedisConnectionDetails.Standalone.of("localhost",
				cable.leadTo(properties.getHost(), properties.getPort()), properties.getDatabase());
		return new DataRedisConnectionDetails() {

			@Override
			public Standalone getStandalone() {
				return server;
			}

			@Override
			public @Nullable String getUsername() {
				return properties.getUsername();
			}

			@Override
			public @Nullable String getPassword() {
				return properties.getPassword();
			}

		};
	}

	@Bean
	@ConditionalOnProperty(name = "leader-election.backend", havingValue = "zookeeper")
	ZooKeeperConnectionDetails zooKeeperThroughCable(
			@Value("${leader-election.zookeeper.connect-string}") String configured, Cable cable) {
		Matcher server = SERVER.matcher("//" + configured);
		if (!server.matches()) {
			throw new IllegalStateException(
					"The demo leads to one ZooKeeper server: host and port, not '%s'".formatted(configured));
		}
		String connectString = "localhost:"
				+ cable.leadTo(server.group("host"), Integer.parseInt(server.group("port")));
		return () -> connectString;
	}

}
