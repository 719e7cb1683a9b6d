package io.leaderelection.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;
import io.leaderelection.test.contract.HostileRecord;
import io.leaderelection.test.contract.LeaseStoreContract;
import io.leaderelection.zookeeper.LeaseRecord.Free;
import io.leaderelection.zookeeper.LeaseRecord.Held;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;

/**
 * The contract of stores, for ZooKeeper. Leases are not bound to sessions, so nothing of
 * the contract is left out.
 */
abstract class ZooKeeperContract extends LeaseStoreContract {

	private static final String ROOT = "/contract";

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(30);

	private static final long STRANGERS_SESSION = 4711;

	private final Map<LeaseStore, CuratorFramework> clients = new ConcurrentHashMap<>();

	/** Where stores find the servers. */
	abstract String connectString();

	/** A client that goes past the stores. */
	abstract CuratorFramework admin();

	@Override
	protected final LeaseStore newStore() {
		return newStore(ROOT);
	}

	@Override
	protected final LeaseStore newStoreWithOtherPrefix() {
		return newStore("/other/place");
	}

	private LeaseStore newStore(String root) {
		CuratorFramework client = Clients.started(connectString(), SESSION_TIMEOUT);
		LeaseStore store = Clients.store(client, root);
		this.clients.put(store, client);
		return store;
	}

	final CuratorFramework client(LeaseStore store) {
		return this.clients.get(store);
	}

	@Override
	protected void loseAllData() {
		Clients.deleteAll(admin(), ROOT);
	}

	@Override
	protected void plant(HostileRecord hostile, String election) {
		if (hostile.isEnd()) {
			cannot("plant an end, since records have none");
		}
		try {
			Tree tree = new Tree("", ROOT);
			String path = tree.election(election);
			admin().create().orSetData().creatingParentsIfNeeded().forPath(path, planted(hostile, tree, path));
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private byte[] planted(HostileRecord hostile, Tree tree, String path) throws Exception {
		Stat stat = admin().checkExists().forPath(path);
		LeaseRecord present = (stat != null) ? LeaseRecord.parse(admin().getData().forPath(path))
				: new Free(1, Duration.ofSeconds(10));
		return switch (hostile) {
			case GARBAGE -> "{\"leader\": \"me\"}".getBytes();
			case NEGATIVE_TOKEN -> withToken(present, -1).toBytes();
			case HIGHEST_TOKEN -> withToken(present, Long.MAX_VALUE).toBytes();
			case OTHER_OWNER, OWNER_WITH_CONTROL_CHARACTERS -> {
				admin().create()
					.orSetData()
					.creatingParentsIfNeeded()
					.withMode(CreateMode.EPHEMERAL)
					.forPath(tree.session(STRANGERS_SESSION));
				yield new Held(new Owner(hostile.text().isEmpty() ? "stranger" : hostile.text(), "unheard of"),
						STRANGERS_SESSION, present.token(), Duration.ofMinutes(1))
					.toBytes();
			}
			case TOKEN_HEXADECIMAL, TOKEN_OVERFLOW -> withLine(present, "token", hostile.text());
			default -> withLine(present, "duration", hostile.text());
		};
	}

	private static byte[] withLine(LeaseRecord record, String name, String value) {
		return new String(record.toBytes(), StandardCharsets.UTF_8)
			.replaceFirst("(?m)^" + name + " .*$", name + " " + value)
			.getBytes(StandardCharsets.UTF_8);
	}

	private static LeaseRecord withToken(LeaseRecord record, long token) {
		return (record instanceof Held held) ? new Held(held.owner(), held.session(), token, held.duration())
				: new Free(token, record.duration());
	}

}
