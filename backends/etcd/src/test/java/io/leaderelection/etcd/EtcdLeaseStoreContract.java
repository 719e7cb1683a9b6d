package io.leaderelection.etcd;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.List;
import java.util.UUID;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.leaderelection.servers.EtcdServer;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.observed.LeaseRecord;
import io.leaderelection.store.Owner;
import io.leaderelection.test.contract.HostileRecord;
import io.leaderelection.test.contract.LeaseStoreContract;

/**
 * The contract of stores, for etcd; each test has a prefix of its own. Leases are not
 * bound to those of etcd, so nothing of the contract is left out.
 */
abstract class EtcdLeaseStoreContract extends LeaseStoreContract {

	private final String prefix = "/elections of " + UUID.randomUUID();

	/** Where stores find the server. */
	abstract String endpoint();

	/** A client that goes past the stores. */
	abstract Client admin();

	@Override
	protected LeaseStore newStore() {
		return newStore(this.prefix);
	}

	@Override
	protected LeaseStore newStoreWithOtherPrefix() {
		return newStore(this.prefix + "/other");
	}

	private LeaseStore newStore(String prefix) {
		Client client = EtcdServer.connect(endpoint());
		return new EtcdLeaseStore(client, prefix, Duration.ofSeconds(10), InstantSource.system(), client::close);
	}

	@Override
	protected Duration longLeaseDuration() {
		return Duration.ofSeconds(6);
	}

	@Override
	protected void loseAllData() {
		EtcdServer.deleteAll(admin(), this.prefix);
	}

	@Override
	protected void plant(HostileRecord hostile, String election) {
		ByteSequence key = new Keys(this.prefix).record(election);
		List<KeyValue> found = admin().getKVClient().get(key).orTimeout(10, TimeUnit.SECONDS).join().getKvs();
		String present = found.isEmpty() ? "format=1\ntoken=1\nduration=PT10S\n"
				: found.get(0).getValue().toString(StandardCharsets.UTF_8);
		String planted = switch (hostile) {
			case GARBAGE -> "{\"leader\": \"me\"}";
			case NEGATIVE_TOKEN -> present.replaceFirst("token=\\d+", "token=-1");
			case HIGHEST_TOKEN -> present.replaceFirst("token=\\d+", "token=" + Long.MAX_VALUE);
			case OTHER_OWNER, OWNER_WITH_CONTROL_CHARACTERS ->
				text(new LeaseRecord(EtcdLeaseRecords.FORMAT.read(present.getBytes(StandardCharsets.UTF_8)).token(),
						Duration.ofMinutes(1),
						new Owner(hostile.text().isEmpty() ? "stranger" : hostile.text(), "unheard of"),
						"of a stranger", null));
			case TOKEN_HEXADECIMAL, TOKEN_OVERFLOW -> present.replaceFirst("token=\\d+", "token=" + hostile.text());
			case END_NAN, END_HEXADECIMAL, END_OVERFLOW -> {
				cannot("plant an end, since records have none");
				yield present;
			}
			default -> present.replaceFirst("duration=\\S+", "duration=" + hostile.text());
		};
		admin().getKVClient().put(key, Keys.bytes(planted)).orTimeout(10, TimeUnit.SECONDS).join();
	}

	private static String text(LeaseRecord record) {
		return new String(EtcdLeaseRecords.FORMAT.write(record), StandardCharsets.UTF_8);
	}

}
