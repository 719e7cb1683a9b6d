package io.leaderelection.engine;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

import io.leaderelection.ElectionState;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.Nodes;
import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node that was stopped and is started again may have been saved in between, and
 * brought back on another machine: its clocks have jumped, and there may be two of it.
 */
class StartedAgainTests {

	private final ManualClock clock = new ManualClock();

	private final ManualClock serverClock = new ManualClock();

	private final InMemoryLeaseStore store = ManualNode.storeOn(this.serverClock);

	private final ManualNode node = new ManualNode("a", this.clock, this.store);

	private final DefaultLeaderElector elector = this.node.engine().elector("reports", ManualNode.SETTINGS);

	@ParameterizedTest
	@ValueSource(longs = { -30, -1, 0, 1, 30 })
	void aNodeLeadsAtOnceWhateverItsClocksShow(long days) {
		lead();
		Leadership before = this.elector.leadership().orElseThrow();
		Owner owner = holder();
		stop();
		jump(days);
		lead();
		assertThat(before.isCurrent()).isFalse();
		assertThat(before.isHeld()).isFalse();
		assertThat(holder()).isNotEqualTo(owner);
		assertThat(holder().nodeId()).isEqualTo("a");
		assertThat(this.elector.fencingToken().orElseThrow().isNewerThan(before.token())).isTrue();
		assertThat(this.elector.status().remainingValidity()).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(10));
		this.node.pass(Duration.ofSeconds(60), this::settleWithServer);
		assertThat(this.elector.isLeader()).isTrue();
		assertThat(this.elector.status().transitions()).hasSize(3);
	}

	@Test
	@Timeout(60)
	void noTwoStartsOfANodeHaveTheSameOwner() {
		Set<Owner> owners = new HashSet<>();
		try (LeaderElections running = LeaderElections.on(this.store).nodeId("a").build()) {
			LeaderElector reports = running.elector("reports");
			for (int i = 0; i < 3; i++) {
				running.start();
				Nodes.leading(reports);
				owners.add(holder());
				running.stop();
			}
		}
		assertThat(owners).hasSize(3);
	}

	@Test
	void aGrantOfTheRunBeforeIsGivenBack() {
		this.node.engine().start();
		ManualNode.ManualCall<?> hung = this.node.call();
		Runnable answer = hung.perform();
		Owner before = holder();
		this.node.pass(ManualNode.SETTINGS.callTimeout());
		this.node.engine().stop();
		this.node.settle();
		jump(-1);
		this.node.engine().start();
		// the validity would begin a day from now
		answer.run();
		assertThat(this.elector.isLeader()).isFalse();
		assertThat(holder()).isEqualTo(before);
		this.node.settle();
		assertThat(this.node.calls()).extracting(ManualNode.ManualCall::operation).contains(Operation.RELEASE);
		assertThat(this.elector.isLeader()).isTrue();
		assertThat(holder()).isNotEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(longs = { -30, 0, 30 })
	void aCallOfTheRunBeforeHoldsNothingUp(long days) {
		this.node.engine().start();
		Runnable late = this.node.call().perform();
		this.node.pass(ManualNode.SETTINGS.callTimeout());
		this.node.engine().stop();
		this.node.settle();
		late.run();
		assertThat(this.node.call().operation()).isEqualTo(Operation.RELEASE);
		jump(days);
		this.node.engine().start();
		assertThat(this.node.call().operation()).isEqualTo(Operation.ACQUIRE);
		this.serverClock.advance(ManualNode.SETTINGS.leaseDuration());
		this.node.pass(ManualNode.SETTINGS.leaseDuration().multipliedBy(2), this.node::settle);
		assertThat(this.elector.isLeader()).isTrue();
		stop();
	}

	@ParameterizedTest
	@ValueSource(longs = { -30, 0, 30 })
	void whatIsLeftOfAHoldOffGoesOn(long days) {
		lead();
		this.elector.stepDown(Duration.ofSeconds(50));
		this.node.settle();
		this.node.pass(Duration.ofSeconds(20), this.node::settle);
		stop();
		jump(days);
		this.node.engine().start();
		this.node.settle();
		this.node.pass(Duration.ofSeconds(29), this.node::settle);
		assertThat(this.elector.isLeader()).isFalse();
		this.node.pass(Duration.ofSeconds(2), this.node::settle);
		assertThat(this.elector.isLeader()).isTrue();
	}

	@Test
	void aHoldOffThatAnOperatorEndsMeanwhileIsOver() {
		lead();
		this.elector.stepDown(Duration.ofHours(1));
		this.node.settle();
		stop();
		this.elector.resume();
		lead();
	}

	@ParameterizedTest
	@ValueSource(longs = { -30, 30 })
	void whatWasSeenBeforeIsNotTakenForNews(long days) {
		ManualNode other = new ManualNode("b", this.serverClock, this.store);
		DefaultLeaderElector leader = other.engine().elector("reports", ManualNode.SETTINGS);
		other.engine().start();
		other.settle();
		this.node.engine().start();
		this.node.settle();
		assertThat(this.elector.getCurrentLeader()).isPresent();
		stop();
		leader.stepDown(Duration.ofHours(1));
		other.settle();
		jump(days);
		this.node.engine().start();
		assertThat(this.elector.getCurrentLeader()).isEmpty();
		this.node.settle();
		assertThat(this.elector.isLeader()).isTrue();
	}

	@Test
	void troubleOfTheRunBeforeIsNotCountedOn() {
		this.node.engine().start();
		this.node.call().fail(new LeaseStoreException("connection refused"));
		this.node.pass(Duration.ofSeconds(1));
		assertThat(this.elector.status().unansweredFor()).isPositive();
		this.node.engine().stop();
		this.node.openCall().ifPresent((call) -> call.fail(new LeaseStoreException("connection refused")));
		this.node.settle();
		jump(30);
		this.node.engine().start();
		assertThat(this.elector.status().failuresInARow()).isZero();
		assertThat(this.elector.status().unansweredFor()).isZero();
	}

	private void lead() {
		this.node.engine().start();
		this.node.settle();
		assertThat(this.elector.isLeader()).isTrue();
	}

	private void stop() {
		this.node.engine().stop();
		this.node.settle();
		assertThat(this.elector.status().state()).isEqualTo(ElectionState.STOPPED);
		assertThat(this.node.engine().isRunning()).isFalse();
	}

	private void jump(long days) {
		this.clock.advance(Duration.ofDays(days));
	}

	private void settleWithServer() {
		this.serverClock.advance(Duration.ofMillis(1));
		this.node.settle();
	}

	private Owner holder() {
		return this.store.read("reports").flatMap(LeaseView::holder).orElseThrow();
	}

}
