package io.leaderelection.observed;

import java.time.Duration;
import java.util.List;

import io.leaderelection.observed.Sight.Nothing;
import io.leaderelection.observed.Sight.Present;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;
import io.leaderelection.test.contract.HostileRecord;
import io.leaderelection.test.contract.LeaseStoreContract;

/**
 * The contract of stores, on records in this process.
 */
class ObservedLeaseStoreContractTests extends LeaseStoreContract {

	private final RecordsInMemory records = new RecordsInMemory();

	private final RecordsInMemory others = new RecordsInMemory();

	@Override
	protected LeaseStore newStore() {
		return new ObservedLeaseStore(this.records);
	}

	@Override
	protected LeaseStore newStoreWithOtherPrefix() {
		return new ObservedLeaseStore(this.others);
	}

	@Override
	protected void loseAllData() {
		this.records.clear();
	}

	@Override
	protected void pauseServer() {
		this.records.pause(true);
	}

	@Override
	protected void resumeServer() {
		this.records.pause(false);
	}

	@Override
	protected void plant(HostileRecord hostile, String election) {
		if (hostile != HostileRecord.OTHER_OWNER) {
			// a record refuses such tokens, so that they are garbage too
			this.records.putGarbage(election);
			return;
		}
		Sight seen = this.records.read(List.of(election), Duration.ofSeconds(1)).get(0);
		long token = (seen instanceof Nothing) ? 1 : ((Present) seen).record().token();
		this.records.put(election,
				new LeaseRecord(token, Duration.ofMinutes(1), new Owner("stranger", "unheard of"), null));
	}

}
