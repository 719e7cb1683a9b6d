package io.leaderelection.benchmarks.peers.node;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The client of those who use Curator themselves, with its defaults but for the session.
 */
@Configuration(proxyBeanMethods = false)
class CuratorClient {

	@Bean(initMethod = "start", destroyMethod = "close")
	CuratorFramework curator(NodeSettings settings) {
		return CuratorFrameworkFactory.builder()
			.connectString("127.0.0.1:" + settings.port())
			.sessionTimeoutMs((int) settings.lease().toMillis())
			.retryPolicy(new ExponentialBackoffRetry(1000, 3))
			.build();
	}

}
