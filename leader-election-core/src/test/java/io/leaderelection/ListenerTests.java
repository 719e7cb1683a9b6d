package io.leaderelection;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;

import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.engine.StoreAccess.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.leaderelection.Nodes.LONG;
import static io.leaderelection.Nodes.SHORT;
import static io.leaderelection.Nodes.leading;
import static io.leaderelection.Nodes.standingBy;
import static io.leaderelection.Nodes.until;
import static io.leaderelection.Nodes.workUnderWay;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What listeners are told, in which order, and what they can and cannot hold up.
 */
@Timeout(60)
class ListenerTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	@RegisterExtension
	final Nodes nodes = new Nodes();

	@Test
	void gainsAndLossesAreToldInOrderEachOnce() {
		LeaderElections node = this.nodes.make("a", LONG, this.nodes.store());
		LeaderElector elector = node.elector("reports");
		Recorder recorder = new Recorder();
		elector.addListener(recorder);
		node.start();
		long first = leading(elector).fencingToken().orElseThrow().value();
		elector.operations().stepDown(Duration.ZERO).join();
		long second = leading(elector).fencingToken().orElseThrow().value();
		node.stop();
		assertThat(recorder.transitions()).containsExactly("gained " + first, "lost %d STEPPED_DOWN".formatted(first),
				"gained " + second, "lost %d STOPPED".formatted(second));
	}

	@Test
	void eventsSayWhoAndWhen() {
		LeaderElector elector = this.nodes.start("a", LONG).elector("reports");
		Recorder recorder = new Recorder();
		elector.addListener(recorder);
		leading(elector);
		elector.operations().stepDown().join();
		until(() -> recorder.transitions().size() == 2);
		Gained gained = (Gained) recorder.events().get(0);
		assertThat(gained.election()).isEqualTo("reports");
		assertThat(gained.nodeId()).isEqualTo("a");
		assertThat(gained.leadership().token()).isEqualTo(gained.token());
		assertThat(gained.leadership().isCurrent()).isFalse();
		Lost lost = (Lost) recorder.events().get(recorder.events().size() - 1);
		assertThat(lost.election()).isEqualTo("reports");
		assertThat(lost.nodeId()).isEqualTo("a");
		assertThat(lost.token()).isEqualTo(gained.token());
		assertThat(lost.at()).isAfterOrEqualTo(gained.at());
	}

	@Test
	void everyChangeOfLeaderThatIsSeenIsTold() {
		LeaderElections a = this.nodes.start("a", LONG);
		Leader first = new Leader("a", leading(a.elector("reports")).fencingToken().orElseThrow());
		LeaderElections node = this.nodes.make("b", LONG, this.nodes.store());
		LeaderElector b = node.elector("reports");
		Recorder recorder = new Recorder();
		b.addListener(recorder);
		node.start();
		standingBy(b);
		a.stop();
		Leader second = new Leader("b", leading(b).fencingToken().orElseThrow());
		until(() -> recorder.leaderChanges().size() == 2);
		assertThat(recorder.leaderChanges()).extracting(LeaderChanged::leader).containsExactly(first, second);
		assertThat(recorder.leaderChanges()).extracting(LeaderChanged::previous)
			.containsExactly(Optional.empty(), Optional.of(first));
		assertThat(recorder.leaderChanges()).extracting(LeaderChanged::election).containsOnly("reports");
	}

	@Test
	void aLateListenerIsToldOfThePresentLeadership() {
		LeaderElector elector = leading(this.nodes.start("a", LONG).elector("reports"));
		Recorder recorder = new Recorder();
		elector.addListener(recorder);
		until(() -> recorder.transitions().size() == 1);
		assertThat(recorder.events()).singleElement()
			.isInstanceOfSatisfying(Gained.class,
					(event) -> assertThat(event.token()).isEqualTo(elector.fencingToken().orElseThrow()));
		elector.operations().stepDown();
		until(() -> recorder.transitions().size() == 2);
	}

	@Test
	void aListenerThatComesDuringTheEndIsNotToldOfALossThatItNeverGained() {
		LeaderElector elector = leading(this.nodes.start("a", LONG).elector("reports"));
		Work work = workUnderWay(elector);
		CompletableFuture<Boolean> released = elector.operations().stepDown(Duration.ZERO);
		Recorder recorder = new Recorder();
		elector.addListener(recorder);
		work.end();
		assertThat(released).succeedsWithin(SOON).isEqualTo(true);
		long next = leading(elector).fencingToken().orElseThrow().value();
		until(() -> !recorder.transitions().isEmpty());
		assertThat(recorder.transitions()).containsExactly("gained " + next);
	}

	@Test
	void aClosedRegistrationIsToldNothingMore() {
		LeaderElections node = this.nodes.start("a", LONG);
		LeaderElector elector = leading(node.elector("reports"));
		Recorder closed = new Recorder();
		Recorder open = new Recorder();
		Registration registration = elector.addListener(closed);
		elector.addListener(open);
		until(() -> closed.transitions().size() == 1);
		registration.close();
		registration.close();
		node.stop();
		assertThat(open.transitions()).hasSize(2);
		assertThat(closed.transitions()).hasSize(1);
	}

	@Test
	void whatIsQueuedForAListenerThatIsClosedIsNotDelivered() {
		LeaderElector elector = leading(this.nodes.start("a", LONG).elector("reports"));
		Gate gate = this.nodes.gate();
		AtomicInteger lost = new AtomicInteger();
		Registration registration = elector.addListener(new LeadershipListener() {

			@Override
			public void gained(Gained event) {
				gate.pass();
			}

			@Override
			public void lost(Lost event) {
				lost.incrementAndGet();
			}

		});
		gate.awaitArrival();
		CompletableFuture<Boolean> released = elector.operations().stepDown();
		registration.close();
		gate.open();
		assertThat(released).succeedsWithin(SOON).isEqualTo(true);
		assertThat(lost).hasValue(0);
	}

	@Test
	void plainActionsRunOnEveryGainAndEveryLoss() {
		LeaderElections node = this.nodes.make("a", LONG, this.nodes.store());
		LeaderElector elector = node.elector("reports");
		AtomicInteger gained = new AtomicInteger();
		AtomicInteger lost = new AtomicInteger();
		elector.onLeadershipGained(gained::incrementAndGet);
		elector.onLeadershipLost(lost::incrementAndGet);
		node.start();
		leading(elector);
		until(() -> gained.get() == 1);
		assertThat(lost).hasValue(0);
		elector.operations().stepDown(Duration.ZERO).join();
		leading(elector);
		node.stop();
		assertThat(gained).hasValue(2);
		assertThat(lost).hasValue(2);
	}

	@Test
	void aListenerMayAskAndEndTheLeadershipThatItIsToldOf() {
		LeaderElections node = this.nodes.make("a", LONG, this.nodes.store());
		LeaderElector elector = node.elector("reports");
		CompletableFuture<Boolean> released = new CompletableFuture<>();
		elector.addListener(new LeadershipListener() {

			@Override
			public void gained(Gained event) {
				assertThat(elector.tryBecomeLeader()).isTrue();
				elector.operations().stepDown().whenComplete((done, failure) -> released.complete(done));
			}

		});
		node.start();
		assertThat(released).succeedsWithin(SOON).isEqualTo(true);
		assertThat(elector.isLeader()).isFalse();
	}

	@Test
	void aListenerThatThrowsHarmsNobody() {
		LeaderElections node = this.nodes.make("a", LONG, this.nodes.store());
		LeaderElector elector = node.elector("reports");
		AtomicInteger told = new AtomicInteger();
		elector.addListener(new LeadershipListener() {

			@Override
			public void gained(Gained event) {
				told.incrementAndGet();
				throw new IllegalStateException("a listener that throws");
			}

			@Override
			public void lost(Lost event) {
				told.incrementAndGet();
				throw new StackOverflowError("a listener that overflows");
			}

		});
		Recorder other = new Recorder();
		elector.addListener(other);
		node.start();
		leading(elector);
		assertThat(elector.operations().stepDown(Duration.ZERO)).succeedsWithin(SOON).isEqualTo(true);
		leading(elector);
		node.stop();
		assertThat(told).hasValue(4);
		assertThat(other.transitions()).hasSize(4);
		assertThat(this.nodes.logged(Level.SEVERE)).hasSize(4).containsOnly("A leadership listener of 'a' failed");
	}

	@Test
	void aListenerThatBlocksForEverHarmsOnlyItself() {
		TroubledStore store = this.nodes.troubledStore();
		LeaderElections node = this.nodes.make("a", SHORT, store);
		LeaderElector elector = node.elector("reports");
		Gate gate = this.nodes.gate();
		elector.onLeadershipGained(gate::passDeafly);
		Recorder sameElection = new Recorder();
		elector.addListener(sameElection);
		LeaderElector other = node.elector("invoices");
		Recorder otherElection = new Recorder();
		other.addListener(otherElection);
		node.start();
		long token = leading(elector).fencingToken().orElseThrow().value();
		gate.awaitArrival();
		until(() -> sameElection.transitions().size() == 1 && otherElection.transitions().size() == 1);
		int renewals = store.calls(Operation.RENEW);
		until(() -> store.calls(Operation.RENEW) >= renewals + 4);
		assertThat(elector.fencingToken().orElseThrow().value()).isEqualTo(token);
		assertThat(other.operations().stepDown(Duration.ZERO)).succeedsWithin(SOON).isEqualTo(true);
		leading(other);
		until(() -> otherElection.transitions().size() == 3);
		assertThat(gate.waiting()).isEqualTo(1);
	}

	@Test
	void lostHasReturnedBeforeTheLeaseIsGivenUp() {
		TroubledStore store = this.nodes.troubledStore();
		LeaderElector a = leading(this.nodes.start("a", LONG, store).elector("reports"));
		LeaderElector b = standingBy(this.nodes.start("b", LONG).elector("reports"));
		Gate gate = this.nodes.gate();
		a.onLeadershipLost(() -> {
		});
		a.onLeadershipLost(gate::pass);
		CompletableFuture<Boolean> released = a.operations().stepDown();
		gate.awaitArrival();
		assertThat(a.isLeader()).isFalse();
		assertThat(a.status().state()).isEqualTo(ElectionState.DRAINING);
		assertThat(b.tryBecomeLeader()).isFalse();
		assertThat(store.calls(Operation.RELEASE)).isZero();
		assertThat(released).isNotDone();
		gate.open();
		assertThat(released).succeedsWithin(SOON).isEqualTo(true);
		leading(b);
	}

	@Test
	void theLeaseIsRenewedWhileListenersTakeTheirTime() {
		TroubledStore store = this.nodes.troubledStore();
		LeaderElector a = leading(this.nodes.start("a", SHORT, store).elector("reports"));
		LeaderElector b = standingBy(this.nodes.start("b", SHORT).elector("reports"));
		Gate gate = this.nodes.gate();
		a.onLeadershipLost(gate::pass);
		CompletableFuture<Boolean> released = a.operations().stepDown();
		gate.awaitArrival();
		int renewals = store.calls(Operation.RENEW);
		// more than one lease
		until(() -> store.calls(Operation.RENEW) >= renewals + 5);
		assertThat(b.isLeader()).isFalse();
		assertThat(released).isNotDone();
		gate.open();
		assertThat(released).succeedsWithin(SOON).isEqualTo(true);
		leading(b);
	}

	@Test
	void listenersThatOutlastTheDrainTimeoutLeaveTheLeaseToExpire() {
		ElectionSettings settings = ElectionSettings.builder()
			.leaseDuration(Duration.ofSeconds(1))
			.drainTimeout(Duration.ofMillis(300))
			.build();
		TroubledStore store = this.nodes.troubledStore();
		LeaderElector a = leading(this.nodes.start("a", settings, store).elector("reports"));
		LeaderElector b = standingBy(this.nodes.start("b", settings).elector("reports"));
		Gate gate = this.nodes.gate();
		a.onLeadershipLost(gate::pass);
		List<Boolean> outcome = List.of(a.operations().stepDown(Duration.ofHours(1)).join());
		assertThat(outcome).containsExactly(false);
		assertThat(gate.waiting()).isEqualTo(1);
		leading(b);
		assertThat(store.calls(Operation.RELEASE)).isZero();
	}

}
