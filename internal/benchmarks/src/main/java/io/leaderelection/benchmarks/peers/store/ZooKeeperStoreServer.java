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

	/**
	 * Told by {@code srvr}: what {@code mntr} tells is kept once in a process, in which
	 * there are several servers.
	 */
	private long packets() throws IOException {
		String received = "Received: ";
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
			socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
			String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			return answer.lines()
				.filter((line) -> line.startsWith(received))
				.mapToLong((line) -> Long.parseLong(line.substring(received.length())))
				.findFirst()
				.orElseThrow(() -> new IOException("ZooKeeper does not tell what it received, but: " + answer));
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
