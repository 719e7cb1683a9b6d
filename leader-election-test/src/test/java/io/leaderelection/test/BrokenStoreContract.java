package io.leaderelection.test;

import java.time.Duration;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.test.contract.HostileRecord;
import io.leaderelection.test.contract.LeaseStoreContract;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The contract for a {@link BrokenStore}; run only by {@link BrokenStoresAreFoundTests},
 * which says which.
 */
@ExtendWith(BrokenStoreContract.Breakage.class)
class BrokenStoreContract extends LeaseStoreContract {

	static final String BREAKAGE = "broken-store";

	private final BrokenStore broken;

	private final InMemoryLeaseStore records;

	private final StandInServer server;

	BrokenStoreContract(BrokenStore broken) {
		this.broken = broken;
		this.records = broken.records();
		this.server = new StandInServer(broken.over(this.records));
	}

	@Override
	protected LeaseStore newStore() {
		return this.server.newClient();
	}

	@Override
	protected LeaseStore newStoreWithOtherPrefix() {
		return (this.broken == BrokenStore.IGNORES_THE_PREFIX) ? newStore() : new InMemoryLeaseStore();
	}

	@Override
	protected Duration leaseDuration() {
		return Duration.ofMillis(400);
	}

	@Override
	protected Duration patience() {
		return Duration.ofMillis(900);
	}

	@Override
	protected void loseAllData() {
		this.records.clear();
	}

	@Override
	protected void restartServer() {
		if (this.broken == BrokenStore.WAKES_NOBODY_AFTER_A_RESTART) {
			return;
		}
		if (this.broken == BrokenStore.FORGETS_ALL_LEASES_AT_A_RESTART) {
			this.records.clear();
		}
		this.server.restart();
	}

	@Override
	protected void pauseServer() {
		if (this.broken == BrokenStore.REJECTS_WITHOUT_ITS_SERVER) {
			this.server.reject();
		}
		else if (this.broken != BrokenStore.ANSWERS_WITHOUT_ITS_SERVER) {
			this.server.pause();
		}
	}

	@Override
	protected void resumeServer() {
		this.server.resume();
	}

	@Override
	protected void plant(HostileRecord hostile, String election) {
		if (this.broken == BrokenStore.TAKES_GARBAGE_FOR_A_FREE_LEASE) {
			this.records.evict(election);
		}
		else {
			StandInServer.letAStrangerTake(election, this.records);
		}
	}

	/**
	 * Tells which store is to be tested.
	 */
	static final class Breakage implements ExecutionCondition, ParameterResolver {

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			return context.getConfigurationParameter(BREAKAGE)
				.map(ConditionEvaluationResult::enabled)
				.orElseGet(() -> ConditionEvaluationResult.disabled("No store was named to be broken"));
		}

		@Override
		public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
			return parameter.getParameter().getType() == BrokenStore.class;
		}

		@Override
		public BrokenStore resolveParameter(ParameterContext parameter, ExtensionContext context) {
			return context.getConfigurationParameter(BREAKAGE, BrokenStore::valueOf).orElseThrow();
		}

	}

}
