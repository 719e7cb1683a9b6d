package io.leaderelection.store.observed;

import java.time.Duration;
import java.util.List;

import io.leaderelection.store.observed.RecordSnapshot.Present;
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

	LeaseStore newStore(RecordsInMemory records) {
		return new ObservedLeaseStore(records);
	}

	@Override
	protected LeaseStore newStore() {
		return newStore(this.records);
	}

	@Override
	protected LeaseStore newStoreWithOtherPrefix() {
		return newStore(this.others);
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
		if (hostile != HostileRecord.OTHER_OWNER && hostile != HostileRecord.OWNER_WITH_CONTROL_CHARACTERS) {
			// a record refuses such numbers, so that they are garbage too
			this.records.putGarbage(election);
			return;
		}
		RecordSnapshot seen = this.records.read(List.of(election), Duration.ofSeconds(1)).get(0);
		long token = (seen instanceof RecordSnapshot.Absent) ? 1 : ((Present) seen).record().token();
		this.records.put(election, new LeaseRecord(token, Duration.ofMinutes(1),
				new Owner(hostile.text().isEmpty() ? "stranger" : hostile.text(), "unheard of"), null, null));
	}

}
