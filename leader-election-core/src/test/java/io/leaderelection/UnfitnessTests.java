package io.leaderelection;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.engine.StoreAccess.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.leaderelection.Nodes.LONG;
import static io.leaderelection.Nodes.leading;
import static io.leaderelection.Nodes.standingBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node that is not fit to lead stands aside, which is no operator's business.
 */
@Timeout(60)
class UnfitnessTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	@RegisterExtension
	final Nodes nodes = new Nodes();

	@Test
	void anUnhealthyLeaderGivesWayToAnotherNode() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		LeaderElector mails = leading(a.elector("mails"));
		LeaderElector b = standingBy(this.nodes.start("b", LONG).elector("reports"));
		assertThat(a.declareUnfit(Unfitness.UNHEALTHY)).succeedsWithin(SOON);
		assertThat(reports.isLeader()).isFalse();
		assertThat(mails.isLeader()).isFalse();
		leading(b);
		assertThat(reports.status().state()).isEqualTo(ElectionState.UNFIT);
		assertThat(reports.status().unfit()).containsExactly(Unfitness.UNHEALTHY);
		assertThat(reports.status().lastTransition().orElseThrow().reason()).contains(LossReason.UNHEALTHY);
	}

	@Test
	void workIsFinishedBeforeAnUnhealthyLeaderGivesWay() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		LeaderElector b = standingBy(this.nodes.start("b", LONG).elector("reports"));
		Leadership leadership = reports.leadership().orElseThrow();
		assertThat(leadership.enter()).isTrue();
		CompletableFuture<Void> withdrawn = a.declareUnfit(Unfitness.UNHEALTHY);
		assertThat(reports.status().state()).isEqualTo(ElectionState.DRAINING);
		assertThat(withdrawn).isNotDone();
		assertThat(b.isLeader()).isFalse();
		leadership.exit();
		assertThat(withdrawn).succeedsWithin(SOON);
		leading(b);
	}

	@Test
	void aLeaderThatIsNotReadyGoesOnLeadingButDoesNotStandAgain() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		assertThat(a.declareUnfit(Unfitness.NOT_READY)).succeedsWithin(SOON);
		assertThat(reports.isLeader()).isTrue();
		assertThat(reports.status().state()).isEqualTo(ElectionState.LEADER);
		assertThat(reports.status().unfit()).containsExactly(Unfitness.NOT_READY);
		assertThat(reports.stepDown(Duration.ZERO)).succeedsWithin(SOON).isEqualTo(true);
		assertThat(reports.tryBecomeLeader()).isFalse();
		assertThat(reports.status().state()).isEqualTo(ElectionState.UNFIT);
		a.declareFit(Unfitness.NOT_READY);
		leading(reports);
	}

	@ParameterizedTest
	@EnumSource
	void aFollowerThatIsUnfitDoesNotTakeAFreeLease(Unfitness reason) {
		LeaderElections a = this.nodes.start("a", LONG);
		leading(a.elector("reports"));
		TroubledStore store = this.nodes.troubledStore();
		LeaderElections b = this.nodes.start("b", LONG, store);
		LeaderElector follower = standingBy(b.elector("reports"));
		assertThat(b.declareUnfit(reason)).succeedsWithin(SOON);
		int asked = store.calls(Operation.ACQUIRE);
		a.stop();
		assertThat(follower.tryBecomeLeader()).isFalse();
		assertThat(store.calls(Operation.ACQUIRE)).isEqualTo(asked);
		b.declareFit(reason);
		leading(follower);
	}

	@Test
	void whoIsUnfitForTwoReasonsIsFitWhenBothAreOver() {
		LeaderElections a = this.nodes.make("a", LONG, this.nodes.store());
		LeaderElector reports = a.elector("reports");
		a.declareUnfit(Unfitness.NOT_READY);
		a.declareUnfit(Unfitness.UNHEALTHY);
		a.declareUnfit(Unfitness.UNHEALTHY);
		a.start();
		assertThat(reports.status().unfit()).containsExactlyInAnyOrder(Unfitness.values());
		a.declareFit(Unfitness.UNHEALTHY);
		assertThat(reports.tryBecomeLeader()).isFalse();
		a.declareFit(Unfitness.NOT_READY);
		leading(reports);
	}

	@Test
	void anElectionMadeLaterIsNotStoodForEither() {
		TroubledStore store = this.nodes.troubledStore();
		LeaderElections a = this.nodes.start("a", LONG, store);
		a.declareUnfit(Unfitness.UNHEALTHY);
		LeaderElector late = a.elector("late");
		assertThat(late.tryBecomeLeader()).isFalse();
		assertThat(late.status().state()).isEqualTo(ElectionState.UNFIT);
		assertThat(store.calls(Operation.ACQUIRE)).isZero();
		a.declareFit(Unfitness.UNHEALTHY);
		leading(late);
	}

	@Test
	void anOperatorsResumeDoesNotMakeFit() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		assertThat(reports.pause()).succeedsWithin(SOON).isEqualTo(true);
		a.declareUnfit(Unfitness.UNHEALTHY);
		assertThat(reports.status().state()).isEqualTo(ElectionState.PAUSED);
		reports.resume();
		assertThat(reports.tryBecomeLeader()).isFalse();
		assertThat(reports.status().state()).isEqualTo(ElectionState.UNFIT);
		a.declareFit(Unfitness.UNHEALTHY);
		leading(reports);
	}

	@Test
	void beingFitAgainEndsNoOperatorsPause() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		LeaderElector mails = leading(a.elector("mails"));
		assertThat(a.declareUnfit(Unfitness.UNHEALTHY)).succeedsWithin(SOON);
		reports.pause();
		a.declareFit(Unfitness.UNHEALTHY);
		leading(mails);
		assertThat(reports.tryBecomeLeader()).isFalse();
		assertThat(reports.status().state()).isEqualTo(ElectionState.PAUSED);
		reports.resume();
		leading(reports);
	}

	@Test
	void whoIsFitAgainWhileItsWorkStillDrainsEndsWithLeading() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		Leadership leadership = reports.leadership().orElseThrow();
		assertThat(leadership.enter()).isTrue();
		a.declareUnfit(Unfitness.UNHEALTHY);
		a.declareFit(Unfitness.UNHEALTHY);
		assertThat(reports.isLeader()).isFalse();
		leadership.exit();
		leading(reports);
		assertThat(leadership.isCurrent()).isFalse();
	}

	@Test
	void unfitnessOutlastsAStop() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		assertThat(a.declareUnfit(Unfitness.UNHEALTHY)).succeedsWithin(SOON);
		a.stop();
		assertThat(reports.status().state()).isEqualTo(ElectionState.STOPPED);
		a.start();
		assertThat(reports.tryBecomeLeader()).isFalse();
		a.declareFit(Unfitness.UNHEALTHY);
		leading(reports);
	}

}
