package io.leaderelection.zookeeper;

import java.io.File;
import java.time.Duration;
import java.util.Map;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;
import io.leaderelection.test.contract.HostileRecord;
import io.leaderelection.test.contract.LeaseStoreContract;
import io.leaderelection.zookeeper.LeaseRecord.Free;
import io.leaderelection.zookeeper.LeaseRecord.Held;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The contract of stores, on one server.
 */
class SingleServerTests extends LeaseStoreContract {

	private static final String ROOT = "/contract";

	private static TestingServer server;

	private static TcpProxy proxy;

	/** Goes past the proxy, and past the store. */
	private static CuratorFramework admin;

	@BeforeAll
	static void startServer() throws Exception {
		InstanceSpec spec = new InstanceSpec((File) null, -1, -1, -1, true, -1, 2000, -1,
				Map.<String, Object>of("forceSync", "no"));
		server = new TestingServer(spec, true);
		proxy = new TcpProxy(server::getPort);
		admin = Clients.started(server.getConnectString(), Duration.ofSeconds(30));
	}

	@AfterAll
	static void stopServer() throws Exception {
		admin.close();
		proxy.close();
		server.close();
	}

	@Override
	protected LeaseStore newStore() {
		return Clients.store(Clients.started(proxy.connectString(), Duration.ofSeconds(30)), ROOT);
	}

	@Override
	protected LeaseStore newStoreWithOtherPrefix() {
		return Clients.store(Clients.started(proxy.connectString(), Duration.ofSeconds(30)), "/other/place");
	}

	@Override
	protected void loseAllData() {
		Clients.deleteAll(admin, ROOT);
	}

	@Override
	protected void restartServer() {
		try {
			server.restart();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	protected void pauseServer() {
		proxy.swallow();
	}

	@Override
	protected void resumeServer() {
		proxy.forward();
	}

	@Override
	protected void plant(HostileRecord hostile, String election) {
		try {
			Tree tree = new Tree("", ROOT);
			String path = tree.election(election);
			admin.create().orSetData().creatingParentsIfNeeded().forPath(path, planted(hostile, tree, path));
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static byte[] planted(HostileRecord hostile, Tree tree, String path) throws Exception {
		Stat stat = admin.checkExists().forPath(path);
		LeaseRecord present = (stat != null) ? LeaseRecord.parse(admin.getData().forPath(path))
				: new Free(1, Duration.ofSeconds(10));
		return switch (hostile) {
			case GARBAGE -> "{\"leader\": \"me\"}".getBytes();
			case NEGATIVE_TOKEN -> withToken(present, -1).toBytes();
			case HIGHEST_TOKEN -> withToken(present, Long.MAX_VALUE).toBytes();
			case OTHER_OWNER -> {
				admin.create()
					.orSetData()
					.creatingParentsIfNeeded()
					.withMode(CreateMode.EPHEMERAL)
					.forPath(tree.session(4711));
				yield new Held(new Owner("stranger", "unheard of"), 4711, present.token(), Duration.ofMinutes(1))
					.toBytes();
			}
		};
	}

	private static LeaseRecord withToken(LeaseRecord record, long token) {
		return (record instanceof Held held) ? new Held(held.owner(), held.session(), token, held.duration())
				: new Free(token, record.duration());
	}

}
