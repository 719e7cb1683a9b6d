package io.leaderelection.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;
import io.leaderelection.store.observed.LeaseRecord;
import io.leaderelection.test.contract.HostileRecord;
import io.leaderelection.test.contract.LeaseStoreContract;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;

import static io.leaderelection.zookeeper.ZooKeeperLeaseRecords.FORMAT;

/**
 * The contract of stores, for ZooKeeper. Leases are not bound to sessions, so nothing of
 * the contract is left out.
 */
abstract class ZooKeeperContract extends LeaseStoreContract {

	private static final String ROOT = "/contract";

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(30);

	private static final String STRANGERS_HEARTBEAT = "%016x".formatted(4711);

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
			String path = new Paths("", ROOT).record(election);
			admin().create().orSetData().creatingParentsIfNeeded().forPath(path, planted(hostile, path));
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private byte[] planted(HostileRecord hostile, String path) throws Exception {
		Stat stat = admin().checkExists().forPath(path);
		LeaseRecord present = (stat != null) ? FORMAT.read(admin().getData().forPath(path))
				: new LeaseRecord(1, Duration.ofSeconds(10), null, null, null);
		return switch (hostile) {
			case GARBAGE -> "{\"leader\": \"me\"}".getBytes();
			case NEGATIVE_TOKEN -> withLine(present, "token", "-1");
			case HIGHEST_TOKEN -> withLine(present, "token", Long.toString(Long.MAX_VALUE));
			case OTHER_OWNER, OWNER_WITH_CONTROL_CHARACTERS -> {
				admin().create()
					.orSetData()
					.creatingParentsIfNeeded()
					.withMode(CreateMode.EPHEMERAL)
					.forPath(new Paths("", ROOT).heartbeat(STRANGERS_HEARTBEAT));
				yield FORMAT.write(new LeaseRecord(present.token(), Duration.ofMinutes(1),
						new Owner(hostile.text().isEmpty() ? "stranger" : hostile.text(), "unheard of"),
						STRANGERS_HEARTBEAT, null));
			}
			case TOKEN_HEXADECIMAL, TOKEN_OVERFLOW -> withLine(present, "token", hostile.text());
			default -> withLine(present, "duration", hostile.text());
		};
	}

	private static byte[] withLine(LeaseRecord record, String name, String value) {
		return new String(FORMAT.write(record), StandardCharsets.UTF_8)
			.replaceFirst("(?m)^" + name + " .*$", name + " " + value)
			.getBytes(StandardCharsets.UTF_8);
	}

}
