package io.leaderelection.store.observed;

import io.leaderelection.store.LeaseStore;

/**
 * The contract of stores, on records in this process that one heartbeat per node renews.
 */
class HeartbeatContractTests extends ObservedLeaseStoreContractTests {

	@Override
	LeaseStore newStore(RecordsInMemory records) {
		return new ObservedLeaseStore(new HeartbeatsInMemory(records));
	}

}
