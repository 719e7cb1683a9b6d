package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/**
 * Clients and stores on a server under test.
 */
final class Clients {

	private Clients() {
	}

	static CuratorFramework started(String connectString, Duration sessionTimeout) {
		CuratorFramework client = CuratorFrameworkFactory.builder()
			.connectString(connectString)
			.sessionTimeoutMs((int) sessionTimeout.toMillis())
			.connectionTimeoutMs(5_000)
			.retryPolicy(new RetryOneTime(100))
			.ensembleTracker(false)
			.build();
		client.start();
		return client;
	}

	/** A store whose client is closed in the background, since that takes a while. */
	static ZooKeeperLeaseStore store(CuratorFramework client, String rootPath) {
		return new ZooKeeperLeaseStore(client.getNamespace(), () -> client, rootPath, new DefaultACLProvider(),
				() -> CompletableFuture.runAsync(client::close));
	}

	/** Ends a session at the server, as the server itself does when it expires. */
	static void endSession(CuratorFramework client, String connectString) {
		try {
			ZooKeeper handle = client.getZookeeperClient().getZooKeeper();
			CountDownLatch connected = new CountDownLatch(1);
			ZooKeeper twin = new ZooKeeper(connectString, handle.getSessionTimeout(), (event) -> connected.countDown(),
					handle.getSessionId(), handle.getSessionPasswd());
			if (!connected.await(10, TimeUnit.SECONDS) || twin.getSessionId() != handle.getSessionId()) {
				throw new IllegalStateException("The session was not found");
			}
			twin.close();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	static void deleteAll(CuratorFramework client, String path) {
		try {
			client.delete().guaranteed().deletingChildrenIfNeeded().forPath(path);
		}
		catch (KeeperException.NoNodeException ex) {
			// nothing there
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
