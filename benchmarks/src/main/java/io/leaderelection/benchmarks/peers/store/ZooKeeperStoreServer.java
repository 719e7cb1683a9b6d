package io.leaderelection.benchmarks.peers.store;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.leaderelection.benchmarks.Waiting;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException.NoNodeException;

/**
 * One ZooKeeper server, with the tick that servers have by default. It lives in the
 * driver's process.
 */
final class ZooKeeperStoreServer implements StoreServer {

	private static final int TICK_MILLIS = 2000;

	private static final int MOST_CLIENTS = 1000;

	private final TestingServer server;

	ZooKeeperStoreServer() throws Exception {
		this.server = new TestingServer(new InstanceSpec((File) null, -1, -1, -1, true, -1, TICK_MILLIS, MOST_CLIENTS,
				Map.of("forceSync", "no", "4lw.commands.whitelist", "*")), true);
	}

	@Override
	public int port() {
		return this.server.getPort();
	}

	/** Packets: requests and pings. */
	@Override
	public Load load(Duration time) throws Exception {
		long began = System.nanoTime();
		long before = packets();
		Waiting.pass(time);
		long received = packets() - before;
		return Load.of(received, received, System.nanoTime() - began);
	}

	private long packets() throws IOException {
		return (long) Double.parseDouble(tell("zk_packets_received"));
	}

	private String tell(String name) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
			socket.getOutputStream().write("mntr".getBytes(StandardCharsets.US_ASCII));
			socket.shutdownOutput();
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines()
				.filter((line) -> line.startsWith(name + "\t"))
				.map((line) -> line.substring(name.length() + 1))
				.findFirst()
				.orElseThrow(() -> new IOException("ZooKeeper does not tell " + name));
		}
	}

	@Override
	public void lose() throws Exception {
		try (CuratorFramework curator = CuratorFrameworkFactory.newClient(this.server.getConnectString(),
				new RetryOneTime(100))) {
			curator.start();
			for (String child : curator.getChildren().forPath("/")) {
				if (!child.equals("zookeeper")) {
					delete(curator, "/" + child);
				}
			}
		}
	}

	/** Clients may write anew while this goes on. */
	private static void delete(CuratorFramework curator, String path) throws Exception {
		try {
			List<String> children = curator.getChildren().forPath(path);
			for (String child : children) {
				delete(curator, path + "/" + child);
			}
			curator.delete().deletingChildrenIfNeeded().forPath(path);
		}
		catch (NoNodeException ex) {
			// gone already
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

}
