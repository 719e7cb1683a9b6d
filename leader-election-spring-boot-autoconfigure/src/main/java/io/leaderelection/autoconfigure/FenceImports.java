package io.leaderelection.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.leaderelection.dynamodb.DynamoDbFenceConfiguration;
import io.leaderelection.etcd.EtcdFenceConfiguration;
import io.leaderelection.jdbc.JdbcFenceConfiguration;
import io.leaderelection.redis.RedisFenceConfiguration;
import io.leaderelection.zookeeper.ZooKeeperFenceConfiguration;

import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Names the configurations of the fences whose resource has its classes here. Of the
 * others nothing is as much as read.
 */
class FenceImports implements ImportSelector {

	private final ClassLoader classLoader;

	FenceImports(ClassLoader classLoader) {
		this.classLoader = classLoader;
	}

	@Override
	public String[] selectImports(AnnotationMetadata importing) {
		List<String> imports = new ArrayList<>();
		if (isPresent("software.amazon.awssdk.services.dynamodb.DynamoDbClient")) {
			imports.add(DynamoDbFenceConfiguration.class.getName());
		}
		if (isPresent("io.etcd.jetcd.Client")) {
			imports.add(EtcdFenceConfiguration.class.getName());
		}
		if (isPresent("org.springframework.jdbc.core.JdbcOperations")
				&& isPresent("org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer")) {
			imports.add(JdbcFenceConfiguration.class.getName());
		}
		if (isPresent("org.springframework.data.redis.connection.RedisConnectionFactory")) {
			imports.add(RedisFenceConfiguration.class.getName());
		}
		if (isPresent("org.apache.curator.framework.CuratorFramework")) {
			imports.add(ZooKeeperFenceConfiguration.class.getName());
		}
		return imports.toArray(String[]::new);
	}

	private boolean isPresent(String type) {
		return ClassUtils.isPresent(type, this.classLoader);
	}

}
