package io.leaderelection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.leaderelection.engine.StoreAccess.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.leaderelection.Nodes.LONG;
import static io.leaderelection.Nodes.leading;
import static io.leaderelection.Nodes.standingBy;
import static io.leaderelection.Nodes.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Nodes that start, lead and stop.
 */
@Timeout(60)
class LeaderElectionsTests {

	@RegisterExtension
	final Nodes nodes = new Nodes();

	@Test
	void everyElectorIsShownToWhoeverWantsToSeeThemAll() {
		LeaderElections elections = this.nodes.start("a", LONG);
		elections.elector("first");
		List<String> seen = new ArrayList<>();
		Registration registration = elections.forEachElector((elector) -> seen.add(elector.election()));
		elections.elector("second");
		elections.elector("second");
		assertThat(seen).containsExactly("first", "second");
		registration.close();
		elections.elector("third");
		assertThat(seen).hasSize(2);
	}

	@Test
	void oneOfSeveralNodesLeads() {
		List<LeaderElector> electors = Stream.of("a", "b", "c")
			.map((id) -> this.nodes.start(id, LONG).elector("reports"))
			.toList();
		until(() -> electors.stream().anyMatch(LeaderElector::isLeader));
		LeaderElector leader = electors.stream().filter(LeaderElector::isLeader).findFirst().orElseThrow();
		FencingToken token = leader.fencingToken().orElseThrow();
		electors.stream().filter((elector) -> elector != leader).forEach((follower) -> {
			standingBy(follower);
			assertThat(follower.fencingToken()).isEmpty();
			assertThat(follower.leadership()).isEmpty();
			assertThat(follower.getCurrentLeader().orElseThrow().token()).isEqualTo(token);
		});
		assertThat(electors).filteredOn(LeaderElector::isLeader).containsExactly(leader);
	}

	@Test
	void electionsOfOneNameAreOneAndOthersAreTheirOwn() {
		LeaderElections a = this.nodes.start("a", LONG);
		leading(a.elector("reports"));
		LeaderElections b = this.nodes.start("b", LONG);
		leading(b.elector("invoices"));
		assertThat(standingBy(b.elector("reports")).isLeader()).isFalse();
	}

	@Test
	void aCleanStopHandsOverLongBeforeTheLeaseEnds() {
		LeaderElections a = this.nodes.start("a", LONG);
		FencingToken first = leading(a.elector("reports")).fencingToken().orElseThrow();
		LeaderElector next = standingBy(this.nodes.start("b", LONG).elector("reports"));
		a.stop();
		assertThat(a.elector("reports").isLeader()).isFalse();
		assertThat(a.isRunning()).isFalse();
		assertThat(leading(next).fencingToken().orElseThrow().isNewerThan(first)).isTrue();
	}

	@Test
	void aNodeThatWithdrawsAdmitsNoMoreWorkAndGivesUpWhenItsWorkIsDone() throws Exception {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector elector = leading(a.elector("reports"));
		LeaderElector next = standingBy(this.nodes.start("b", LONG).elector("reports"));
		CompletableFuture<Void> withdrawn = elector.executeAsLeader(() -> {
			CompletableFuture<Void> begun = a.withdraw();
			assertThat(elector.isLeader()).isFalse();
			assertThat(a.isRunning()).isTrue();
			assertThat(begun).isNotDone();
			assertThat(next.isLeader()).isFalse();
			return begun;
		});
		leading(next);
		assertThat(withdrawn).succeedsWithin(Duration.ofSeconds(20));
		assertThat(a.isRunning()).isFalse();
		assertThat(a.withdraw()).isCompleted();
	}

	@Test
	void aLossThatNobodyAskedForIsAWarning() {
		List<String> lines = new CopyOnWriteArrayList<>();
		LeaderElections node = LeaderElections.on(this.nodes.store())
			.nodeId("a")
			.settings(LONG)
			.logger(logger(lines))
			.build();
		node.start();
		LeaderElector elector = leading(node.elector("reports"));
		long token = elector.fencingToken().orElseThrow().value();
		this.nodes.store().evict("reports");
		elector.operations().recheck();
		until(() -> lines.contains("WARNING 'a' no longer leads 'reports' with token " + token + ": STOLEN"));
		node.stop();
	}

	@Test
	void transitionsAreLoggedWhereTheBuilderSays() {
		List<String> lines = new CopyOnWriteArrayList<>();
		LeaderElections node = LeaderElections.on(this.nodes.store())
			.nodeId("a")
			.settings(LONG)
			.logger(logger(lines))
			.build();
		node.start();
		long token = leading(node.elector("reports")).fencingToken().orElseThrow().value();
		node.stop();
		until(() -> lines.size() == 2);
		assertThat(lines).containsExactly("INFO 'a' leads 'reports' with token " + token,
				"INFO 'a' no longer leads 'reports' with token " + token + ": STOPPED");
	}

	private static System.Logger logger(List<String> lines) {
		return new System.Logger() {

			@Override
			public String getName() {
				return "test";
			}

			@Override
			public boolean isLoggable(Level level) {
				return level.compareTo(Level.INFO) >= 0;
			}

			@Override
			public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
				lines.add(level + " " + message);
			}

			@Override
			public void log(Level level, ResourceBundle bundle, String format, Object... params) {
				lines.add(level + " " + format);
			}

		};
	}

	@Test
	void aNodeMayBeStoppedAndStartedAgain() {
		LeaderElections node = this.nodes.start("a", LONG);
		LeaderElector elector = leading(node.elector("reports"));
		FencingToken first = elector.fencingToken().orElseThrow();
		node.stop();
		assertThat(elector.status().state()).isEqualTo(ElectionState.STOPPED);
		node.start();
		assertThat(node.isRunning()).isTrue();
		assertThat(leading(elector).fencingToken().orElseThrow().isNewerThan(first)).isTrue();
	}

	@Test
	void stoppingOrClosingWhatDoesNotRunDoesNothing() {
		LeaderElections node = this.nodes.make("a", LONG, this.nodes.store());
		node.stop();
		node.close();
		assertThat(node.isRunning()).isFalse();
		node.start();
		leading(node.elector("reports"));
		node.close();
		node.close();
		assertThat(node.isRunning()).isFalse();
	}

	@Test
	void startingTwiceIsStartingOnce() {
		TroubledStore store = this.nodes.troubledStore();
		LeaderElections node = this.nodes.start("a", LONG, store);
		node.start();
		leading(node.elector("reports"));
		until(() -> store.calls(Operation.WATCH) == 1);
		node.start();
		assertThat(node.elector("reports").isLeader()).isTrue();
		node.stop();
		assertThat(store.calls(Operation.WATCH)).isEqualTo(1);
		assertThat(store.calls(Operation.UNWATCH)).isEqualTo(1);
	}

	@Test
	void electorsMadeBeforeAndAfterTheStartStand() {
		LeaderElections node = this.nodes.make("a", LONG, this.nodes.store());
		LeaderElector before = node.elector("before");
		assertThat(before.status().state()).isEqualTo(ElectionState.STOPPED);
		assertThat(before.tryBecomeLeader()).isFalse();
		node.start();
		LeaderElector after = node.elector("after");
		leading(before);
		leading(after);
		assertThat(node.electors()).containsExactly(before, after);
	}

	@Test
	void anElectorIsMadeOnce() {
		LeaderElections node = this.nodes.make("a", LONG, this.nodes.store());
		assertThat(node.find("reports")).isEmpty();
		LeaderElector elector = node.elector("reports");
		assertThat(elector.election()).isEqualTo("reports");
		assertThat(node.elector("reports")).isSameAs(elector);
		assertThat(node.elector("reports", LONG)).isSameAs(elector);
		assertThat(node.find("reports")).containsSame(elector);
	}

	@Test
	void anElectorIsNotMadeTwiceWithOtherSettings() {
		LeaderElections node = this.nodes.make("a", LONG, this.nodes.store());
		ElectionSettings own = ElectionSettings.ofLease(Duration.ofSeconds(5));
		LeaderElector elector = node.elector("reports", own);
		assertThat(node.elector("reports")).isSameAs(elector);
		assertThatIllegalStateException().isThrownBy(() -> node.elector("reports", LONG))
			.withMessage("The election 'reports' exists with other settings: " + own);
		assertThat(node.electors()).hasSize(1);
	}

	@Test
	void namesThatNoStoreCouldKeepAreRefused() {
		LeaderElections node = this.nodes.make("a", LONG, this.nodes.store());
		assertThatIllegalArgumentException().isThrownBy(() -> node.elector(" "))
			.withMessage("election must not be blank");
		assertThatIllegalArgumentException().isThrownBy(() -> LeaderElections.on(this.nodes.store()).nodeId("\n"))
			.withMessage("nodeId must not be blank");
		assertThatIllegalStateException().isThrownBy(LeaderElections.on(this.nodes.store())::build)
			.withMessage("nodeId is missing: name this node, e.g. by its host name");
	}

	@Test
	void twoProcessesOfTheSameNodeIdDoNotShareALease() {
		LeaderElector one = leading(this.nodes.start("same", LONG).elector("reports"));
		LeaderElector other = this.nodes.start("same", LONG).elector("reports");
		assertThat(other.tryBecomeLeader()).isFalse();
		assertThat(other.isLeader()).isFalse();
		one.operations().stepDown();
		leading(other);
		assertThat(one.isLeader()).isFalse();
	}

	@Test
	void tryingToBecomeLeaderAsksTheStoreAtOnce() {
		LeaderElector leader = leading(this.nodes.start("a", LONG).elector("reports"));
		LeaderElector other = this.nodes.start("b", LONG).elector("reports");
		assertThat(other.tryBecomeLeader()).isFalse();
		assertThat(other.getCurrentLeader()).map(Leader::nodeId).contains("a");
		assertThat(leader.tryBecomeLeader()).isTrue();
		assertThat(leader.operations().stepDown(Duration.ofHours(1))).succeedsWithin(Duration.ofSeconds(20))
			.isEqualTo(true);
		assertThat(other.tryBecomeLeader()).isTrue();
		assertThat(leader.tryBecomeLeader()).isFalse();
	}

	@Test
	void theStatusSaysWhatIsKnown() {
		LeaderElections a = this.nodes.start("a", LONG);
		LeaderElector leader = leading(a.elector("reports"));
		LeaderElector follower = standingBy(this.nodes.start("b", LONG).elector("reports"));
		FencingToken token = leader.fencingToken().orElseThrow();
		ElectionStatus leads = leader.status();
		assertThat(leads.election()).isEqualTo("reports");
		assertThat(leads.nodeId()).isEqualTo("a");
		assertThat(leads.state()).isEqualTo(ElectionState.LEADER);
		assertThat(leads.leader()).contains(new Leader("a", token));
		assertThat(leads.token()).contains(token);
		assertThat(leads.remainingValidity()).isBetween(Duration.ofSeconds(1), Duration.ofMillis(56_400));
		assertThat(leads.inFlight()).isZero();
		assertThat(leads.lastRoundTrip()).hasValueSatisfying((trip) -> assertThat(trip).isPositive());
		assertThat(leads.failuresInARow()).isZero();
		assertThat(leads.lastError()).isEmpty();
		Transition gained = leads.lastTransition().orElseThrow();
		assertThat(gained.kind()).isEqualTo(Transition.Kind.GAINED);
		assertThat(gained.token()).isEqualTo(token);
		assertThat(gained.reason()).isEmpty();
		until(() -> follower.status().state() == ElectionState.FOLLOWER);
		ElectionStatus follows = follower.status();
		assertThat(follows.leader()).contains(new Leader("a", token));
		assertThat(follows.token()).isEmpty();
		assertThat(follows.remainingValidity()).isZero();
		assertThat(follows.lastTransition()).isEmpty();
		a.stop();
		Transition lost = leader.status().lastTransition().orElseThrow();
		assertThat(lost.kind()).isEqualTo(Transition.Kind.LOST);
		assertThat(lost.token()).isEqualTo(token);
		assertThat(lost.reason()).contains(LossReason.STOPPED);
	}

	@Test
	void theStoreKnowsWhoStandsBy() {
		LeaderElector leader = leading(this.nodes.start("a", LONG).elector("reports"));
		assertThat(leader.operations().candidates()).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(List.of());
		standingBy(this.nodes.start("c", LONG).elector("reports"));
		standingBy(this.nodes.start("b", LONG).elector("reports"));
		assertThat(leader.operations().candidates()).succeedsWithin(Duration.ofSeconds(20))
			.isEqualTo(List.of("b", "c"));
		assertThat(leader.status().candidates()).containsExactly("b", "c");
	}

	@Test
	void aNodeThatDoesNotRunCannotSayWhoStandsBy() {
		LeaderElections node = this.nodes.make("a", LONG, this.nodes.store());
		assertThat(node.elector("reports").operations().candidates()).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(IllegalStateException.class)
			.withMessage("The elections of 'a' are not running");
	}

}
