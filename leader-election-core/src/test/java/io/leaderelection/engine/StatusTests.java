package io.leaderelection.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.leaderelection.ElectionStatus;
import io.leaderelection.Leader;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LossReason;
import io.leaderelection.Recorder;
import io.leaderelection.Transition;
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

	private final Elector elector = this.node.engine().elector("reports", ManualNode.SETTINGS);

	private final ManualNode other = new ManualNode("b", this.clock, this.store);

	private final Elector follower = this.other.engine().elector("reports", ManualNode.SETTINGS);

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
	void aFollowerTellsSinceWhenItHasSeenTheLeader() {
		lead();
		this.clock.advance(Duration.ofSeconds(1));
		Instant seen = wallTime();
		follow();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.follower.status().leader()).map(Leader::nodeId).contains("a");
		assertThat(this.follower.status().leaderSince()).contains(seen);
		this.clock.advance(LEASE.multipliedBy(2));
		assertThat(this.follower.status().leaderSince()).as("of a leader that is none any more").isEmpty();
	}

	@Test
	void theLastTransitionsAreKeptAndNotMore() {
		lead();
		for (int i = 0; i < History.LENGTH; i++) {
			this.elector.pause();
			this.node.settle();
			this.elector.resume();
			this.node.settle();
		}
		List<Transition> transitions = this.elector.status().transitions();
		assertThat(transitions).hasSize(History.LENGTH);
		assertThat(transitions.get(0).reason()).contains(LossReason.PAUSED);
		assertThat(transitions.get(History.LENGTH - 1).token()).isEqualTo(this.elector.fencingToken().orElseThrow());
		assertThat(this.elector.status().lastTransition()).contains(transitions.get(History.LENGTH - 1));
	}

	@Test
	void aNewLeaderIsToldWithTheTimeThatNobodyLedAfterACrash() {
		lead();
		follow();
		this.node.pass(LEASE.dividedBy(2), this.node::settle);
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
		assertThat(change.vacancy().orElseThrow()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(1));
	}

	@Test
	void aNewLeaderIsToldWithTheTimeSinceTheHintAfterAHandOver() {
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
	void theFirstLeaderFollowsNoVacancy() {
		this.elector.addListener(this.recorder);
		lead();
		assertThat(lastChange().vacancy()).isEmpty();
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
