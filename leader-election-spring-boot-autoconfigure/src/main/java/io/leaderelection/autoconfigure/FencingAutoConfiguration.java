package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.dynamodb.DynamoDbFenceConfiguration;
import io.leaderelection.etcd.EtcdFenceConfiguration;
import io.leaderelection.fencing.FencingTokenService;
import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.jdbc.JdbcFenceConfiguration;
import io.leaderelection.redis.RedisFenceConfiguration;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.zookeeper.ZooKeeperFenceConfiguration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} for fences: one at every resource of the
 * application that there is a fence for, whichever backend its elections live in.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class,
		afterName = { "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration",
				"org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
				"org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
				"org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
				"org.springframework.cloud.zookeeper.ZookeeperAutoConfiguration" })
@ConditionalOnBean(LeaderElections.class)
public final class FencingAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	StaleTokens leaderElectionStaleTokens(LeaderElections elections) {
		return new StaleTokens(elections);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(LeaseStore.class)
	FencingTokenService leaderElectionFencingTokenService(LeaseStore store) {
		return new FencingTokenService(store);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "software.amazon.awssdk.services.dynamodb.DynamoDbClient")
	@ConditionalOnSingleCandidate(type = "software.amazon.awssdk.services.dynamodb.DynamoDbClient")
	@Import(DynamoDbFenceConfiguration.class)
	static class DynamoDb {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "io.etcd.jetcd.Client")
	@ConditionalOnSingleCandidate(type = "io.etcd.jetcd.Client")
	@Import(EtcdFenceConfiguration.class)
	static class Etcd {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = { "org.springframework.jdbc.core.JdbcOperations",
			"org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer" })
	@ConditionalOnBean(type = "javax.sql.DataSource")
	@Import(JdbcFenceConfiguration.class)
	static class Jdbc {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.springframework.data.redis.connection.RedisConnectionFactory")
	@ConditionalOnSingleCandidate(type = "org.springframework.data.redis.connection.RedisConnectionFactory")
	@Import(RedisFenceConfiguration.class)
	static class Redis {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.apache.curator.framework.CuratorFramework")
	@ConditionalOnSingleCandidate(type = "org.apache.curator.framework.CuratorFramework")
	@Import(ZooKeeperFenceConfiguration.class)
	static class ZooKeeper {

	}

}
