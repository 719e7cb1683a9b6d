package io.leaderelection.test;

import java.time.Duration;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.test.contract.HostileRecord;
import io.leaderelection.test.contract.LeaseStoreContract;

/**
 * The in-memory store keeps the contract, behind a stand-in for a server that hangs and
 * restarts.
 */
class InMemoryLeaseStoreTests extends LeaseStoreContract {

	private final InMemoryLeaseStore store = new InMemoryLeaseStore();

	private final StandInServer server = new StandInServer(this.store);

	private final InMemoryLeaseStore other = new InMemoryLeaseStore();

	@Override
	protected LeaseStore newStore() {
		return this.server.newClient();
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

	@Override
	protected void restartServer() {
		this.server.restart();
	}

	@Override
	protected void pauseServer() {
		this.server.pause();
	}

	@Override
	protected void resumeServer() {
		this.server.resume();
	}

	@Override
	protected void plant(HostileRecord hostile, String election) {
		switch (hostile) {
			case GARBAGE -> this.server.garble(election);
			case OTHER_OWNER -> StandInServer.letAStrangerTake(election, this.store);
			default -> cannot("plant " + hostile + ", since nobody reaches the records but the store itself");
		}
	}

}
