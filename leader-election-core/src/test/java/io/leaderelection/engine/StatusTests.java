package io.leaderelection.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.leaderelection.ElectionState;
import io.leaderelection.ElectionStatus;
import io.leaderelection.Leader;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LossReason;
import io.leaderelection.Recorder;
import io.leaderelection.Transition;
import io.leaderelection.TroubledStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is told to people of an election.
 */
@Timeout(60)
class StatusTests {

	private static final Duration LEASE = ManualNode.SETTINGS.leaseDuration();

	private final ManualClock clock = new ManualClock();

	private final InMemoryLeaseStore store = ManualNode.storeOn(this.clock);

	private final ManualNode node = new ManualNode("a", this.clock, this.store);

	private final DefaultLeaderElector elector = this.node.engine().elector("reports", ManualNode.SETTINGS);

	private final TroubledStore hinting = new TroubledStore(this.store);

	private final ManualNode other = new ManualNode("b", this.clock, this.hinting);

	private final DefaultLeaderElector follower = this.other.engine().elector("reports", ManualNode.SETTINGS);

	private final Recorder recorder = new Recorder();

	@Test
	void aLeaderTellsSinceWhenAndWhenItRenewed() {
		Instant gained = wallTime();
		lead();
		this.node.pass(Duration.ofSeconds(5), this.node::settle);
		ElectionStatus status = this.elector.status();
		assertThat(status.leaderSince()).contains(gained);
		assertThat(status.lastRenewal().orElseThrow()).isAfter(gained).isBeforeOrEqualTo(wallTime());
		assertThat(status.leaseDuration()).isEqualTo(LEASE);
		assertThat(status.transitions()).hasSize(1);
	}

	@Test
	void aFollowerDoesNotClaimToKnowSinceWhenTheLeaderLeads() {
		lead();
		this.clock.advance(Duration.ofSeconds(4));
		follow();
		assertThat(this.follower.status().leader()).map(Leader::nodeId).contains("a");
		assertThat(this.follower.status().leaderSince()).isEmpty();
	}

	@Test
	void aFormerLeaderDoesNotClaimToKnowSinceWhenItsSuccessorLeads() {
		lead();
		follow();
		this.elector.stepDown(Duration.ofSeconds(1));
		this.node.settle();
		this.other.settle();
		this.node.pass(Duration.ofSeconds(2), this.node::settle);
		assertThat(this.elector.status().leader()).map(Leader::nodeId).contains("b");
		assertThat(this.elector.status().leaderSince()).isEmpty();
	}

	@Test
	void theLastTransitionsAreKeptAndNotMore() {
		lead();
		for (int i = 0; i < Transitions.LENGTH; i++) {
			this.elector.pause();
			this.node.settle();
			this.elector.resume();
			this.node.settle();
		}
		List<Transition> transitions = this.elector.status().transitions();
		assertThat(transitions).hasSize(Transitions.LENGTH);
		assertThat(transitions.get(0).reason()).contains(LossReason.PAUSED);
		assertThat(transitions.get(Transitions.LENGTH - 1).token())
			.isEqualTo(this.elector.fencingToken().orElseThrow());
		assertThat(this.elector.status().lastTransition()).contains(transitions.get(Transitions.LENGTH - 1));
	}

	@Test
	void afterACrashTheVacancyBeginsWithTheLastRenewal() {
		lead();
		follow();
		Instant renewed = renewAndCrash();
		this.other.pass(LEASE.multipliedBy(2), () -> {
			this.other.openCall().ifPresent((call) -> {
				this.clock.advance(Duration.ofMillis(3));
				call.answer();
			});
			this.other.runCallbacks();
		});
		LeaderChanged change = lastChange();
		assertThat(change.leader().nodeId()).isEqualTo("b");
		assertThat(change.previous()).map(Leader::nodeId).contains("a");
		assertThat(change.vacancy().orElseThrow()).isBetween(Duration.between(renewed, change.at()),
				Duration.between(renewed, change.at()).plusMillis(10));
		assertThat(change.vacancy().orElseThrow()).isGreaterThanOrEqualTo(LEASE);
	}

	@Test
	void aFailedRequestAfterAHintDoesNotShortenTheVacancy() {
		lead();
		follow();
		Instant renewed = renewAndCrash();
		Duration untilExpiry = Duration.between(wallTime(), renewed).plus(LEASE);
		this.other.pass(untilExpiry.minusMillis(5), this.other::settle);
		this.hinting.wakeUp("reports");
		this.other.call().fail(new LeaseStoreException("refused"));
		this.other.pass(LEASE, this.other::settle);
		assertThat(lastChange().leader().nodeId()).isEqualTo("b");
		assertThat(lastChange().vacancy().orElseThrow()).isGreaterThanOrEqualTo(LEASE);
	}

	@Test
	void afterAHandOverTheVacancyBeginsWithTheHint() {
		lead();
		follow();
		this.clock.advance(Duration.ofSeconds(1));
		this.elector.stepDown();
		this.node.settle();
		this.clock.advance(Duration.ofMillis(7));
		this.other.settle();
		assertThat(lastChange().leader().nodeId()).isEqualTo("b");
		assertThat(lastChange().vacancy()).contains(Duration.ofMillis(7));
	}

	@Test
	void afterAHandOverWithoutAHintTheVacancyBeginsWithTheLastRefusal() {
		lead();
		follow();
		this.hinting.loseHints();
		this.clock.advance(Duration.ofMillis(300));
		this.elector.stepDown();
		this.node.settle();
		this.follower.attempt();
		this.other.settle();
		assertThat(lastChange().leader().nodeId()).isEqualTo("b");
		assertThat(lastChange().vacancy()).contains(Duration.ofMillis(300));
	}

	@Test
	void aNodeThatStoodAsideKnowsOfNoVacancy() {
		lead();
		follow();
		this.follower.pause();
		this.elector.pause();
		this.node.settle();
		this.clock.advance(Duration.ofMinutes(5));
		this.follower.resume();
		this.other.settle();
		assertThat(lastChange().leader().nodeId()).isEqualTo("b");
		assertThat(lastChange().vacancy()).isEmpty();
	}

	@Test
	void aFormerLeaderThatHeldOffKnowsOfNoVacancy() {
		this.elector.addListener(this.recorder);
		lead();
		this.elector.stepDown(LEASE);
		this.node.settle();
		this.node.pass(LEASE.multipliedBy(2), this.node::settle);
		assertThat(this.elector.isLeader()).isTrue();
		assertThat(lastChange().vacancy()).isEmpty();
	}

	@Test
	void aLeaderThatStoodStillMeasuresFromItsLastRenewal() {
		this.elector.addListener(this.recorder);
		lead();
		Instant renewed = renewAndCrash();
		this.clock.advance(LEASE.multipliedBy(6));
		this.node.pass(Duration.ofSeconds(1), this.node::settle);
		assertThat(this.recorder.leaderChanges()).hasSize(2);
		assertThat(lastChange().vacancy().orElseThrow()).isCloseTo(Duration.between(renewed, lastChange().at()),
				Duration.ofMillis(2));
	}

	@Test
	void onlyTheNewLeaderTellsTheVacancy() {
		lead();
		follow();
		ManualNode third = new ManualNode("c", this.clock, this.store);
		Recorder ofThird = new Recorder();
		third.engine().elector("reports", ManualNode.SETTINGS).addListener(ofThird);
		third.engine().start();
		third.settle();
		this.elector.stepDown();
		this.node.settle();
		this.other.settle();
		third.settle();
		assertThat(lastChange().vacancy()).isPresent();
		LeaderChanged seen = ofThird.leaderChanges().get(ofThird.leaderChanges().size() - 1);
		assertThat(seen.leader().nodeId()).isEqualTo("b");
		assertThat(seen.vacancy()).isEmpty();
	}

	@Test
	void aLiveProcessWithTheSameNodeIdIsReportedOnce() {
		lead();
		ManualNode twin = new ManualNode("a", this.clock, this.store);
		twin.engine().elector("reports", ManualNode.SETTINGS);
		twin.engine().start();
		twin.settle();
		passTogether(twin, LEASE);
		assertThat(twin.log()).isEmpty();
		passTogether(twin, LEASE.multipliedBy(4));
		assertThat(twin.log()).containsExactly("duplicate node id: reports");
	}

	@Test
	void aRestartWithTheSameNodeIdIsNotReported() {
		lead();
		this.node.pass(LEASE.dividedBy(2), this.node::settle);
		ManualNode next = new ManualNode("a", this.clock, this.store);
		DefaultLeaderElector restarted = next.engine().elector("reports", ManualNode.SETTINGS);
		next.engine().start();
		next.settle();
		next.pass(LEASE.multipliedBy(3), next::settle);
		assertThat(restarted.isLeader()).isTrue();
		assertThat(next.log()).isEmpty();
	}

	@Test
	void aNodeThatHoldsOffSaysUntilWhenAndWhoLeadsMeanwhile() {
		lead();
		follow();
		this.elector.stepDown(Duration.ofMinutes(5));
		this.node.settle();
		this.other.settle();
		Instant until = wallTime().plus(Duration.ofMinutes(5));
		assertThat(this.elector.status().state()).isEqualTo(ElectionState.HOLDING_OFF);
		assertThat(this.elector.status().holdOffUntil()).contains(until);
		assertThat(this.elector.status().leader()).isEmpty();
		this.elector.candidates();
		this.node.settle();
		assertThat(this.elector.status().leader()).map(Leader::nodeId).contains("b");
		this.elector.resume();
		this.node.settle();
		assertThat(this.elector.status().state()).isEqualTo(ElectionState.FOLLOWER);
		assertThat(this.elector.status().holdOffUntil()).isEmpty();
	}

	@Test
	void theFirstLeaderFollowsNoVacancy() {
		this.elector.addListener(this.recorder);
		lead();
		assertThat(lastChange().vacancy()).isEmpty();
	}

	private void passTogether(ManualNode twin, Duration time) {
		for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusMillis(100)) {
			this.node.pass(Duration.ofMillis(50), this.node::settle);
			twin.pass(Duration.ofMillis(50), twin::settle);
		}
	}

	/** Says when the leader renewed for the last time. */
	private Instant renewAndCrash() {
		this.node.pass(LEASE.dividedBy(2), this.node::settle);
		return this.elector.status().lastRenewal().orElseThrow();
	}

	private LeaderChanged lastChange() {
		List<LeaderChanged> changes = this.recorder.leaderChanges();
		return changes.get(changes.size() - 1);
	}

	private Instant wallTime() {
		return Instant.ofEpochMilli(this.clock.wallMillis());
	}

	private void lead() {
		this.node.engine().start();
		this.node.settle();
		assertThat(this.elector.isLeader()).isTrue();
	}

	private void follow() {
		this.follower.addListener(this.recorder);
		this.other.engine().start();
		this.other.settle();
		assertThat(this.follower.isLeader()).isFalse();
	}

}
