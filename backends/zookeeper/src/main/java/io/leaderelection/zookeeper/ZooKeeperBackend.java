package io.leaderelection.zookeeper;

import java.util.List;

import io.leaderelection.autoconfigure.LeaderElectionBackend;

/**
 * What the ZooKeeper backend requires of the application.
 */
final class ZooKeeperBackend implements LeaderElectionBackend {

	@Override
	public String name() {
		return "zookeeper";
	}

	@Override
	public String clientDependency() {
		return "org.springframework.integration:spring-integration-zookeeper";
	}

	@Override
	public List<String> requiredClasses() {
		return List.of("org.apache.curator.framework.CuratorFramework");
	}

	@Override
	public List<String> beanTypes() {
		return List.of("org.apache.curator.framework.CuratorFramework",
				"io.leaderelection.zookeeper.ZooKeeperConnectionDetails");
	}

	@Override
	public String property() {
		return "leader-election.zookeeper.connect-string";
	}

}
