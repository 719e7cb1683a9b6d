package io.leaderelection.chaos.node;

import java.nio.charset.StandardCharsets;

import io.leaderelection.FencingToken;
import io.leaderelection.zookeeper.ZooKeeperFence;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;

/**
 * A node for each token in the ZooKeeper of the elections. ZooKeeper itself keeps which
 * transaction was the first and which the last that wrote to it, and how many there were.
 */
final class ZooKeeperRegister implements Register, AutoCloseable {

	private final CuratorFramework client;

	private final ZooKeeperFence fence;

	private final String path;

	private final byte[] process;

	ZooKeeperRegister(String connectString, String path, String process) {
		this.client = CuratorFrameworkFactory.builder()
			.connectString(connectString)
			.retryPolicy(new RetryOneTime(100))
			.ensembleTracker(false)
			.build();
		this.client.start();
		this.fence = new ZooKeeperFence(this.client, "/register-fence");
		this.path = path;
		this.process = process.getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public void write(FencingToken token, Runnable between) throws Exception {
		String ofToken = this.path + "/" + token.value();
		between.run();
		try {
			this.fence.commit(token, this.client.transactionOp().setData().forPath(ofToken, this.process));
		}
		catch (KeeperException.NoNodeException ex) {
			this.fence.commit(token, this.client.transactionOp().create().forPath(ofToken, this.process));
		}
	}

	@Override
	public void close() {
		this.client.close();
	}

}
