package io.leaderelection.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;

import io.leaderelection.ElectionState;
import io.leaderelection.FencingToken;
import io.leaderelection.Leader;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.OnLoss;
import io.leaderelection.Work;
import io.leaderelection.store.LeaseView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Timeout(60)
@ExtendWith(LeadershipExtension.class)
class TestLeadershipTests {

	private static final Executor EACH = (task) -> new Thread(task).start();

	private final List<String> told = new CopyOnWriteArrayList<>();

	@Test
	void aNodeFollowsUntilItIsGrantedLeadership(TestLeadership leadership) {
		LeaderElector reports = leadership.elections().elector("reports");
		leadership.elections().start();
		assertThat(reports.isLeader()).isFalse();
		FencingToken token = leadership.grant("reports");
		assertThat(reports.isLeader()).isTrue();
		assertThat(reports.fencingToken()).contains(token);
		assertThat(leadership.grant("reports")).isEqualTo(token);
	}

	@Test
	void callbacksHaveRunWhenAChangeIsComplete(TestLeadership leadership) {
		LeaderElector reports = leadership.elections().elector("reports");
		reports.addListener(slowListener());
		leadership.grant("reports");
		leadership.revoke("reports");
		leadership.grant("reports");
		leadership.expire("reports");
		assertThat(this.told).containsExactly("gained 1", "lost 1 STOLEN", "gained 3", "lost 3 EXPIRED");
	}

	@Test
	void anotherNodeLeadsAfterARevocationAndNobodyAfterAnExpiry(TestLeadership leadership) {
		LeaderElector reports = leadership.elections().elector("reports");
		leadership.grant("reports");
		leadership.revoke("reports");
		assertThat(reports.getCurrentLeader()).map(Leader::nodeId).contains("another-node");
		leadership.grant("reports");
		assertThat(reports.getCurrentLeader()).map(Leader::nodeId).contains(leadership.elections().nodeId());
		leadership.expire("reports");
		assertThat(reports.getCurrentLeader()).isEmpty();
		assertThat(reports.isLeader()).isFalse();
	}

	@Test
	void oneElectionExpiresWithoutTheOthers(TestLeadership leadership) {
		leadership.grant("reports");
		leadership.grant("invoices");
		leadership.expire("reports");
		assertThat(leadership.elections().elector("reports").isLeader()).isFalse();
		assertThat(leadership.elections().elector("invoices").isLeader()).isTrue();
	}

	@Test
	void aNodeThatIsFencedOffBelievesThatItLeadsUntilItAsks(TestLeadership leadership) {
		FencingToken old = leadership.grant("reports");
		FencingToken newest = leadership.fence("reports");
		LeaderElector reports = leadership.elections().elector("reports");
		assertThat(newest.isNewerThan(old)).isTrue();
		assertThat(reports.isLeader()).isTrue();
		assertThat(leadership.store().read("reports")).map(LeaseView::token).contains(newest.value());
		reports.operations().recheck();
		leadership.revoke("reports");
		assertThat(reports.isLeader()).isFalse();
	}

	@Test
	void onlyALeaderCanBeFencedOff(TestLeadership leadership) {
		assertThatIllegalStateException().isThrownBy(() -> leadership.fence("reports"))
			.withMessageContaining("'reports'")
			.withMessageContaining("grant");
	}

	@Test
	void workUnderWayIsInterrupted(TestLeadership leadership) {
		leadership.grant("reports");
		LeaderElector reports = leadership.elections().elector("reports");
		CountDownLatch begun = new CountDownLatch(1);
		CompletableFuture<Boolean> work = CompletableFuture.supplyAsync(() -> {
			Work own = reports.begin(OnLoss.INTERRUPT).orElseThrow();
			begun.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				this.told.add("interrupted");
			}
			return own.end();
		}, EACH);
		assertThat(awaited(begun)).isTrue();
		leadership.revoke("reports");
		assertThat(work).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(false);
		assertThat(this.told).containsExactly("interrupted");
	}

	@Test
	void aTestMayTakeLeadershipAwayFromItsOwnWork(TestLeadership leadership) {
		leadership.grant("reports");
		LeaderElector reports = leadership.elections().elector("reports");
		reports.addListener(slowListener());
		assertThatExceptionOfType(LeadershipLostException.class).isThrownBy(() -> reports.executeAsLeader(() -> {
			leadership.expire("reports");
			assertThat(this.told).contains("lost 1 EXPIRED");
			return Leadership.current().map(Leadership::isCurrent);
		}));
	}

	@Test
	void aStepDownIsTheApplicationsOwn(TestLeadership leadership) {
		leadership.grant("reports");
		LeaderElector reports = leadership.elections().elector("reports");
		assertThat(reports.operations().stepDown()).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
		assertThat(leadership.grant("reports").value()).isEqualTo(2);
	}

	@Test
	void aPausedElectorCannotBeGrantedLeadership(TestLeadership leadership) {
		LeaderElector reports = leadership.elections().elector("reports");
		leadership.elections().start();
		assertThat(reports.operations().pause()).succeedsWithin(Duration.ofSeconds(20));
		assertThatIllegalStateException().isThrownBy(() -> leadership.grant("reports"))
			.withMessageContaining(ElectionState.PAUSED.name());
		leadership.reset();
		leadership.grant("reports");
	}

	@Test
	void aCallbackThatFailsFailsTheTest(TestLeadership leadership) {
		leadership.elections().elector("reports").onLeadershipGained(() -> {
			throw new IllegalArgumentException("a bug");
		});
		assertThatIllegalStateException().isThrownBy(() -> leadership.grant("reports"))
			.withMessageContaining("a bug")
			.withCauseInstanceOf(IllegalArgumentException.class);
	}

	@Test
	void aResetEndsAllLeaderships(TestLeadership leadership) {
		leadership.grant("reports");
		leadership.grant("invoices");
		leadership.reset();
		assertThat(leadership.elections().electors()).hasSize(2).noneMatch(LeaderElector::isLeader);
	}

	@Test
	void aStopWaitsForNobodyInRealTime(TestLeadership leadership) {
		leadership.grant("reports");
		LeaderElector reports = leadership.elections().elector("reports");
		Work own = reports.begin(OnLoss.SIGNAL).orElseThrow();
		leadership.elections().stop();
		assertThat(reports.isLeader()).isFalse();
		assertThat(leadership.elections().isRunning()).isFalse();
		own.end();
	}

	private LeadershipListener slowListener() {
		return new LeadershipListener() {

			@Override
			public void gained(Gained event) {
				Thread.yield();
				TestLeadershipTests.this.told.add("gained " + event.token().value());
			}

			@Override
			public void lost(Lost event) {
				Thread.yield();
				TestLeadershipTests.this.told.add("lost %d %s".formatted(event.token().value(), event.reason()));
			}

		};
	}

	private static boolean awaited(CountDownLatch latch) {
		try {
			latch.await();
			return true;
		}
		catch (InterruptedException ex) {
			return false;
		}
	}

}
