package io.leaderelection.test;

import java.time.Duration;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.test.contract.LeaseStoreContract;

/**
 * The in-memory store keeps the contract. It has no server to restart or to pause.
 */
class InMemoryLeaseStoreTests extends LeaseStoreContract {

	private final InMemoryLeaseStore store = new InMemoryLeaseStore();

	private final InMemoryLeaseStore other = new InMemoryLeaseStore();

	@Override
	protected LeaseStore newStore() {
		return this.store;
	}

	@Override
	protected LeaseStore newStoreWithOtherPrefix() {
		return this.other;
	}

	@Override
	protected Duration leaseDuration() {
		return Duration.ofMillis(600);
	}

	@Override
	protected void loseAllData() {
		this.store.clear();
	}

}
