package io.leaderelection.chaos.node;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

import io.leaderelection.jdbc.JdbcFence;
import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.resource.DnsResolver;
import io.lettuce.core.resource.MappingSocketAddressResolver;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The register of each kind of store, by the property {@code chaos.register}.
 */
@Configuration(proxyBeanMethods = false)
class Registers {

	private static final String KIND = "chaos.register";

	private static final String ADDRESS = "chaos.register-address";

	private static String process(Environment environment) {
		return environment.getRequiredProperty("chaos.process");
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = KIND, havingValue = "redis")
	static class Redis {

		@Bean
		RedisRegister register(Environment environment) {
			return new RedisRegister("127.0.0.1", environment.getRequiredProperty(ADDRESS, Integer.class),
					process(environment), !environment.getProperty("chaos.broken", Boolean.class, false));
		}

		/**
		 * Sentinels tell where the master is, and know nothing of what stands before it.
		 */
		@Bean
		@ConditionalOnProperty("chaos.detours")
		ClientResourcesBuilderCustomizer detours(Environment environment) {
			Map<Integer, Integer> detours = Arrays.stream(environment.getRequiredProperty("chaos.detours").split(","))
				.map((detour) -> detour.split(":"))
				.collect(
						Collectors.toMap((ports) -> Integer.parseInt(ports[0]), (ports) -> Integer.parseInt(ports[1])));
			return (resources) -> resources.socketAddressResolver(
					MappingSocketAddressResolver.create(DnsResolver.unresolved(), (address) -> HostAndPort
						.of(address.getHostText(), detours.getOrDefault(address.getPort(), address.getPort()))));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = KIND, havingValue = "jdbc")
	static class Jdbc {

		@Bean
		JdbcRegister register(JdbcTemplate jdbc, PlatformTransactionManager transactions, JdbcFence fence,
				Environment environment) {
			return new JdbcRegister(jdbc, transactions, fence, process(environment));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = KIND, havingValue = "zookeeper")
	static class ZooKeeper {

		@Bean
		ZooKeeperRegister register(Environment environment) {
			return new ZooKeeperRegister(environment.getRequiredProperty(ADDRESS), "/register", process(environment));
		}

	}

}
