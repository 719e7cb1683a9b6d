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
import static io.leaderelection.Nodes.workUnderWay;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node that is not eligible to lead stands aside, which is no operator's business.
 */
@Timeout(60)
class IneligibilityTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	@RegisterExtension
	final Nodes nodes = new Nodes();

	@Test
	void anUnhealthyLeaderGivesWayToAnotherNode() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		LeaderElector mails = leading(a.elector("mails"));
		LeaderElector b = standingBy(this.nodes.start("b", LONG).elector("reports"));
		assertThat(a.declareIneligible(Ineligibility.UNHEALTHY)).succeedsWithin(SOON);
		assertThat(reports.isLeader()).isFalse();
		assertThat(mails.isLeader()).isFalse();
		leading(b);
		assertThat(reports.status().state()).isEqualTo(ElectionState.INELIGIBLE);
		assertThat(reports.status().ineligible()).containsExactly(Ineligibility.UNHEALTHY);
		assertThat(reports.status().lastTransition().orElseThrow().reason()).contains(LossReason.UNHEALTHY);
	}

	@Test
	void workIsFinishedBeforeAnUnhealthyLeaderGivesWay() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		LeaderElector b = standingBy(this.nodes.start("b", LONG).elector("reports"));
		Work work = workUnderWay(reports);
		CompletableFuture<Void> withdrawn = a.declareIneligible(Ineligibility.UNHEALTHY);
		assertThat(reports.status().state()).isEqualTo(ElectionState.DRAINING);
		assertThat(withdrawn).isNotDone();
		assertThat(b.isLeader()).isFalse();
		work.end();
		assertThat(withdrawn).succeedsWithin(SOON);
		leading(b);
	}

	@Test
	void aLeaderThatIsNotReadyGoesOnLeadingButDoesNotStandAgain() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		assertThat(a.declareIneligible(Ineligibility.NOT_READY)).succeedsWithin(SOON);
		assertThat(reports.isLeader()).isTrue();
		assertThat(reports.status().state()).isEqualTo(ElectionState.LEADER);
		assertThat(reports.status().ineligible()).containsExactly(Ineligibility.NOT_READY);
		assertThat(reports.operations().stepDown(Duration.ZERO)).succeedsWithin(SOON).isEqualTo(true);
		assertThat(reports.tryBecomeLeader()).isFalse();
		assertThat(reports.status().state()).isEqualTo(ElectionState.INELIGIBLE);
		a.declareEligible(Ineligibility.NOT_READY);
		leading(reports);
	}

	@ParameterizedTest
	@EnumSource
	void aFollowerThatIsIneligibleDoesNotTakeAFreeLease(Ineligibility reason) {
		LeaderElections a = this.nodes.start("a", LONG);
		leading(a.elector("reports"));
		TroubledStore store = this.nodes.troubledStore();
		LeaderElections b = this.nodes.start("b", LONG, store);
		LeaderElector follower = standingBy(b.elector("reports"));
		assertThat(b.declareIneligible(reason)).succeedsWithin(SOON);
		int asked = store.calls(Operation.ACQUIRE);
		a.stop();
		assertThat(follower.tryBecomeLeader()).isFalse();
		assertThat(store.calls(Operation.ACQUIRE)).isEqualTo(asked);
		b.declareEligible(reason);
		leading(follower);
	}

	@Test
	void whoIsIneligibleForTwoReasonsIsFitWhenBothAreOver() {
		LeaderElections a = this.nodes.make("a", LONG, this.nodes.store());
		LeaderElector reports = a.elector("reports");
		a.declareIneligible(Ineligibility.NOT_READY);
		a.declareIneligible(Ineligibility.UNHEALTHY);
		a.declareIneligible(Ineligibility.UNHEALTHY);
		a.start();
		assertThat(reports.status().ineligible()).containsExactlyInAnyOrder(Ineligibility.values());
		a.declareEligible(Ineligibility.UNHEALTHY);
		assertThat(reports.tryBecomeLeader()).isFalse();
		a.declareEligible(Ineligibility.NOT_READY);
		leading(reports);
	}

	@Test
	void anElectionMadeLaterIsNotStoodForEither() {
		TroubledStore store = this.nodes.troubledStore();
		LeaderElections a = this.nodes.start("a", LONG, store);
		a.declareIneligible(Ineligibility.UNHEALTHY);
		LeaderElector late = a.elector("late");
		assertThat(late.tryBecomeLeader()).isFalse();
		assertThat(late.status().state()).isEqualTo(ElectionState.INELIGIBLE);
		assertThat(store.calls(Operation.ACQUIRE)).isZero();
		a.declareEligible(Ineligibility.UNHEALTHY);
		leading(late);
	}

	@Test
	void anOperatorsResumeDoesNotMakeFit() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		assertThat(reports.operations().pause()).succeedsWithin(SOON).isEqualTo(true);
		a.declareIneligible(Ineligibility.UNHEALTHY);
		assertThat(reports.status().state()).isEqualTo(ElectionState.PAUSED);
		reports.operations().resume();
		assertThat(reports.tryBecomeLeader()).isFalse();
		assertThat(reports.status().state()).isEqualTo(ElectionState.INELIGIBLE);
		a.declareEligible(Ineligibility.UNHEALTHY);
		leading(reports);
	}

	@Test
	void beingFitAgainEndsNoOperatorsPause() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		LeaderElector mails = leading(a.elector("mails"));
		assertThat(a.declareIneligible(Ineligibility.UNHEALTHY)).succeedsWithin(SOON);
		reports.operations().pause();
		a.declareEligible(Ineligibility.UNHEALTHY);
		leading(mails);
		assertThat(reports.tryBecomeLeader()).isFalse();
		assertThat(reports.status().state()).isEqualTo(ElectionState.PAUSED);
		reports.operations().resume();
		leading(reports);
	}

	@Test
	void whoIsEligibleAgainWhileItsWorkStillDrainsEndsWithLeading() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		Leadership leadership = reports.leadership().orElseThrow();
		Work work = workUnderWay(reports);
		a.declareIneligible(Ineligibility.UNHEALTHY);
		a.declareEligible(Ineligibility.UNHEALTHY);
		assertThat(reports.isLeader()).isFalse();
		work.end();
		leading(reports);
		assertThat(leadership.isCurrent()).isFalse();
	}

	@Test
	void ineligibilityOutlastsAStop() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector reports = leading(a.elector("reports"));
		assertThat(a.declareIneligible(Ineligibility.UNHEALTHY)).succeedsWithin(SOON);
		a.stop();
		assertThat(reports.status().state()).isEqualTo(ElectionState.STOPPED);
		a.start();
		assertThat(reports.tryBecomeLeader()).isFalse();
		a.declareEligible(Ineligibility.UNHEALTHY);
		leading(reports);
	}

}
