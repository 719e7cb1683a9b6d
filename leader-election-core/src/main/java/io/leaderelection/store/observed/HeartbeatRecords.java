package io.leaderelection.store.observed;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import io.leaderelection.store.LeaseStoreException;

/**
 * Records of a store in which one write renews all leases of a node: each record names
 * the heartbeat of its holder, and a lease ends when neither the record nor the heartbeat
 * has changed for as long as the lease lasts.
 *
 * <p>
 * Three rules keep that safe. A heartbeat is written in one transaction that also checks
 * the versions of all records that it renews. A takeover checks the version of the
 * heartbeat in the transaction that writes the record. A heartbeat that no longer exists
 * is never created again under the same id: its node begins another one, and writes its
 * records again.
 */
public interface HeartbeatRecords extends LeaseRecords {

	/**
	 * Returns the heartbeat of this node. Begins one if there is none, or if the last one
	 * is known not to exist any more.
	 * @param lease a lease that it has to outlast if the node crashes
	 * @param limit how long it may take
	 * @return the id of the heartbeat, as records name it
	 * @throws LeaseStoreException if it cannot be begun
	 */
	String heartbeat(Duration lease, Duration limit);

	/**
	 * Reads records, and then or at the same time heartbeats.
	 * @param elections the elections, all distinct
	 * @param heartbeats the ids of the heartbeats, all distinct
	 * @param limit how long it may take
	 * @return both in the same order
	 */
	Snapshots read(List<String> elections, Collection<String> heartbeats, Duration limit);

	@Override
	default List<RecordSnapshot> read(List<String> elections, Duration limit) {
		return read(elections, List.of(), limit).records();
	}

	/**
	 * Changes records, as {@link LeaseRecords#write} does. Those that are
	 * {@linkplain ConditionalWrite#isHeartbeat() a heartbeat only} are combined in as few
	 * writes as the store allows. If one of the combined records is not as expected, all
	 * of them may be answered with a conflict.
	 */
	@Override
	List<WriteResult> write(List<ConditionalWrite> writes, Duration limit);

	/**
	 * What was read by one call.
	 *
	 * @param records the records
	 * @param heartbeats the heartbeats
	 */
	record Snapshots(List<RecordSnapshot> records, List<HeartbeatSnapshot> heartbeats) {
	}

}
