package io.leaderelection.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.leaderelection.Registration;
import io.leaderelection.StoreCall;
import io.leaderelection.StoreCall.Kind;
import io.leaderelection.engine.ManualNode.ManualCall;
import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.LeaseStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What listeners learn of the calls to the store.
 */
@Timeout(60)
class StoreCallListenerTests {

	private static final Duration ROUND_TRIP = Duration.ofMillis(7);

	private static final Duration TIMEOUT = ManualNode.SETTINGS.callTimeout();

	private final ManualClock clock = new ManualClock();

	private final ManualNode node = new ManualNode("a", this.clock, ManualNode.storeOn(this.clock));

	private final DefaultLeaderElector elector = this.node.engine().elector("reports", ManualNode.SETTINGS);

	private final List<StoreCall> told = new ArrayList<>();

	private final Registration registration = this.node.engine().onStoreCall(this.told::add);

	@Test
	void everyAnswerIsToldWithItsRoundTrip() {
		lead();
		this.elector.candidates();
		answer(Operation.READ);
		pass();
		answer(Operation.RENEW);
		this.elector.stepDown();
		answer(Operation.RELEASE);
		assertThat(this.told).extracting(StoreCall::kind)
			.containsExactly(Kind.ACQUIRE, Kind.READ, Kind.RENEW, Kind.RELEASE);
		assertThat(this.told).allSatisfy((call) -> {
			assertThat(call.took()).isEqualTo(ROUND_TRIP);
			assertThat(call.failure()).isEmpty();
		});
	}

	@Test
	void oneCallForManyElectionsIsToldOnce() {
		this.node.engine().elector("mails", ManualNode.SETTINGS);
		lead();
		assertThat(this.node.engine().electors()).allMatch(DefaultLeaderElector::isLeader);
		assertThat(this.told).extracting(StoreCall::kind).containsExactly(Kind.ACQUIRE);
	}

	@Test
	void aHandOverIsATransfer() {
		lead();
		ManualNode other = new ManualNode("b", this.clock, this.node.store());
		other.engine().elector("reports", ManualNode.SETTINGS);
		other.engine().start();
		other.settle();
		this.elector.transferTo("b");
		answer(Operation.READ);
		answer(Operation.TRANSFER);
		assertThat(this.told).extracting(StoreCall::kind).endsWith(Kind.READ, Kind.TRANSFER);
	}

	@Test
	void aFailureIsToldWithItsCause() {
		lead();
		pass();
		LeaseStoreException refusal = new LeaseStoreException("connection refused");
		this.clock.advance(ROUND_TRIP);
		this.node.call().fail(refusal);
		this.node.runCallbacks();
		assertThat(last()).isEqualTo(new StoreCall(Kind.RENEW, ROUND_TRIP, Optional.of(refusal)));
	}

	@Test
	void aCallThatHangsHasFailedAtItsTimeoutAndIsToldOnce() {
		lead();
		pass();
		ManualCall<?> hanging = this.node.call();
		assertThat(hanging.operation()).isEqualTo(Operation.RENEW);
		this.node.pass(TIMEOUT);
		this.node.runCallbacks();
		assertThat(last().kind()).isEqualTo(Kind.RENEW);
		assertThat(last().took()).isEqualTo(TIMEOUT);
		assertThat(last().failure()).isPresent();
		int before = this.told.size();
		hanging.answer();
		this.node.runCallbacks();
		assertThat(this.told).as("a late answer").hasSize(before);
	}

	@Test
	void listenersRunWhereTheyCannotHoldUpTheEngine() {
		this.node.engine().start();
		this.node.call().answer();
		assertThat(this.elector.isLeader()).isTrue();
		assertThat(this.told).isEmpty();
		this.node.runCallbacks();
		assertThat(this.told).extracting(StoreCall::kind).containsExactly(Kind.ACQUIRE);
	}

	@Test
	void nothingIsToldAfterTheEnd() {
		lead();
		this.elector.candidates();
		this.node.call().answer();
		this.registration.close();
		this.node.settle();
		pass();
		this.node.settle();
		assertThat(this.told).extracting(StoreCall::kind).containsExactly(Kind.ACQUIRE);
	}

	private void lead() {
		this.node.engine().start();
		answer(Operation.ACQUIRE);
		answer(Operation.WATCH);
		assertThat(this.elector.isLeader()).isTrue();
	}

	/** Until the next renewal. */
	private void pass() {
		this.node.pass(this.node.nextTimerIn().orElseThrow());
	}

	private void answer(Operation expected) {
		assertThat(this.node.call().operation()).isEqualTo(expected);
		this.clock.advance(ROUND_TRIP);
		this.node.call().answer();
		this.node.runCallbacks();
	}

	private StoreCall last() {
		return this.told.get(this.told.size() - 1);
	}

}
