package io.leaderelection.chaos.backend;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.leaderelection.servers.ZooKeeperProcess;
import io.leaderelection.chaos.history.FaultKind;
import io.leaderelection.chaos.history.Writes;
import io.leaderelection.servers.TcpProxy;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.data.Stat;

/**
 * ZooKeeper, one server or an ensemble of three. Leaders reach the register directly,
 * though they be cut off from the elections.
 */
final class ZooKeeperBackend implements Backend {

	private static final String REGISTER = "/register";

	private final List<ZooKeeperProcess> servers;

	private final CuratorFramework client;

	private ZooKeeperProcess befallen;

	private ZooKeeperBackend(List<ZooKeeperProcess> servers) {
		this.servers = servers;
		this.servers.forEach(ZooKeeperProcess::start);
		this.servers.forEach(ZooKeeperProcess::awaitServing);
		this.client = CuratorFrameworkFactory.newClient(connectString(ports()), new RetryForever(200));
		this.client.start();
		try {
			this.client.create().forPath(REGISTER);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	static ZooKeeperBackend alone() {
		return new ZooKeeperBackend(ZooKeeperProcess.prepare(1));
	}

	static ZooKeeperBackend ensemble() {
		return new ZooKeeperBackend(ZooKeeperProcess.prepare(3));
	}

	private static String connectString(List<Integer> ports) {
		return ports.stream().map((port) -> "127.0.0.1:" + port).collect(Collectors.joining(","));
	}

	@Override
	public List<Integer> ports() {
		return this.servers.stream().map(ZooKeeperProcess::port).toList();
	}

	@Override
	public List<String> properties(List<TcpProxy> links) {
		return List.of("leader-election.backend=zookeeper",
				"leader-election.zookeeper.connect-string="
						+ connectString(links.stream().map(TcpProxy::port).toList()),
				"chaos.register=zookeeper", "chaos.register-address=" + connectString(ports()));
	}

	@Override
	public Map<FaultKind, StoreFault> faults() {
		FaultKind restart = (this.servers.size() > 1) ? FaultKind.LEADER_CHANGE : FaultKind.STORE_RESTART;
		return Map.of(restart, new Undone(() -> leader().kill(), this::startAgain), FaultKind.STORE_PAUSE,
				new Undone(() -> leader().pause(), this::resume));
	}

	/** The one that decides, which the next fault befalls. */
	private ZooKeeperProcess leader() {
		this.befallen = this.servers.stream()
			.filter(ZooKeeperProcess::leads)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("no server leads the others"));
		return this.befallen;
	}

	private void startAgain() {
		this.befallen.start();
		this.befallen.awaitServing();
	}

	private void resume() {
		this.befallen.resume();
		this.befallen.awaitServing();
	}

	@Override
	public List<Writes> writes() {
		List<Writes> writes = new ArrayList<>();
		try {
			for (String token : this.client.getChildren().forPath(REGISTER)) {
				Stat stat = new Stat();
				byte[] process = this.client.getData().storingStatIn(stat).forPath(REGISTER + "/" + token);
				writes.add(new Writes(new String(process, StandardCharsets.UTF_8), Long.parseLong(token),
						stat.getCzxid(), stat.getMzxid(), 1L + stat.getVersion()));
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		return writes;
	}

	@Override
	public String description() {
		return "ZooKeeper %s, %s; Curator %s; the register is in the same ZooKeeper".formatted(
				this.servers.get(0).version(),
				(this.servers.size() > 1) ? this.servers.size() + " servers" : "one server",
				CuratorFramework.class.getPackage().getImplementationVersion());
	}

	@Override
	public void close() {
		this.client.close();
		this.servers.forEach(ZooKeeperProcess::close);
	}

}
