package io.leaderelection.nodes;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.leaderelection.nodes.NodeProcess.Said;
import io.leaderelection.store.LeaseStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What users see: three processes of an ordinary application, and signals. The system
 * property {@code failover.rounds} repeats each measurement, whose figures are printed.
 * {@code failover.age} is how many seconds all processes have been ready before a signal,
 * and {@code node.options} gives the options of their JVMs; none if it is empty.
 */
@Timeout(600)
public abstract class ProcessContract {

	private static final int ROUNDS = Integer.getInteger("failover.rounds", 1);

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final Duration AGE = Duration.ofSeconds(Integer.getInteger("failover.age", 1));

	/** Tests share processes: starting one is most of what a test costs. */
	private static final List<NodeProcess> NODES = new ArrayList<>();

	private static int started;

	/**
	 * The properties by which the application finds this backend.
	 * @return properties as {@code name=value}
	 */
	protected abstract List<String> properties();

	/**
	 * A store of the test's own, to look at the lease.
	 * @return the store
	 */
	protected abstract LeaseStore store();

	@AfterAll
	static void endProcesses() {
		NODES.forEach(NodeProcess::close);
		NODES.clear();
	}

	@Test
	void aCleanStopHandsOverAtOnce() {
		List<Long> fromSignal = new ArrayList<>();
		List<Long> toBeTold = new ArrayList<>();
		List<Long> fromLoss = new ArrayList<>();
		haveNodes(3);
		for (int round = 0; round < ROUNDS; round++) {
			NodeProcess leader = settledLeader();
			long signalled = micros();
			leader.terminate();
			long leads = leads(leader, signalled).micros();
			fromSignal.add(leads - signalled);
			toBeTold.add(nextLeader(leader, signalled).micros() - signalled);
			fromLoss.add(leads - leader.await("LOST", signalled).micros());
			leader.awaitLine("no longer leads '%s'".formatted(NodeApplication.ELECTION));
			remove(leader);
			if (round < ROUNDS - 1) {
				haveNodes(3);
			}
		}
		report("SIGTERM to next leader", fromSignal);
		report("SIGTERM to the next leader's callback", toBeTold);
		report("lost to next leader", fromLoss);
		assertThat(fromSignal).allSatisfy((micros) -> assertThat(micros).isLessThan(LEASE.toMillis() * 1000));
	}

	@Test
	void aKilledLeaderIsReplacedWhenItsLeaseEnds() {
		List<Long> fromKill = new ArrayList<>();
		List<Long> toBeTold = new ArrayList<>();
		List<Long> lateness = new ArrayList<>();
		haveNodes(3);
		for (int round = 0; round < ROUNDS; round++) {
			NodeProcess leader = settledLeader();
			Duration remaining = store().read(NodeApplication.ELECTION).orElseThrow().remaining();
			long killed = micros();
			long leaseEnds = killed + remaining.toNanos() / 1000;
			leader.kill();
			long leads = leads(leader, killed).micros();
			fromKill.add(leads - killed);
			toBeTold.add(nextLeader(leader, killed).micros() - killed);
			lateness.add(leads - leaseEnds);
			remove(leader);
			if (round < ROUNDS - 1) {
				haveNodes(3);
			}
		}
		report("kill -9 to next leader", fromKill);
		report("kill -9 to the next leader's callback", toBeTold);
		report("kill -9, end of the lease to next leader", lateness);
		assertThat(lateness).allSatisfy((micros) -> assertThat(micros).isLessThan(longestLateness().toNanos() / 1000));
	}

	/**
	 * How much later than the end of its lease a killed leader may be replaced, on a busy
	 * machine.
	 * @return the time; negative if it has to be replaced earlier
	 */
	protected Duration longestLateness() {
		return Duration.ofSeconds(10);
	}

	@Test
	void aLeaderThatWasPausedSaysNoInItsFirstAnswer() {
		List<Long> fromStop = new ArrayList<>();
		haveNodes(2);
		for (int round = 0; round < ROUNDS; round++) {
			NodeProcess leader = settledLeader();
			long stopped = micros();
			leader.signal("STOP");
			fromStop.add(leads(leader, stopped).micros() - stopped);
			leader.signal("CONT");
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> leader.find("WOKE_FOLLOWING", stopped)
					.or(() -> leader.find("WOKE_LEADING", stopped))
					.isPresent());
			assertThat(leader.find("WOKE_LEADING", stopped)).isEmpty();
			leader.await("LOST", stopped);
		}
		report("SIGSTOP to next leader", fromStop);
	}

	private void haveNodes(int count) {
		while (NODES.size() < count) {
			startNode();
		}
		NODES.forEach((node) -> node.await("READY"));
	}

	private void startNode() {
		List<String> properties = new ArrayList<>(properties());
		properties.add("leader-election.lease-duration=" + LEASE.toMillis() + "ms");
		NODES.add(NodeProcess.start("node-" + (++started), properties));
	}

	private void remove(NodeProcess ended) {
		NODES.remove(ended);
		ended.close();
	}

	/**
	 * The leader, once the others stand by and know for how long, and all have been up
	 * for a moment, as nodes mostly have.
	 */
	private NodeProcess settledLeader() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> leader() != null && standby() == others() && NODES.stream().allMatch(this::isSettled));
		return Objects.requireNonNull(leader());
	}

	private boolean isSettled(NodeProcess node) {
		long settled = micros() - AGE.toMillis() * 1000;
		return node.find("READY", 0).filter((ready) -> ready.micros() < settled).isPresent();
	}

	private NodeProcess leader() {
		return NODES.stream().filter(NodeProcess::leads).findFirst().orElse(null);
	}

	private long standby() {
		List<String> standby = store().read(NodeApplication.ELECTION).orElseThrow().candidates();
		return NODES.stream().filter((node) -> !node.leads() && standby.contains(node.id())).count();
	}

	private long others() {
		return NODES.size() - 1L;
	}

	/** When another node was told that it leads. */
	private Said nextLeader(NodeProcess former, long afterMicros) {
		return firstOther(former, "GAINED", afterMicros);
	}

	/** Since when another node leads. */
	private Said leads(NodeProcess former, long afterMicros) {
		return firstOther(former, "LEADS", afterMicros);
	}

	private Said firstOther(NodeProcess former, String what, long afterMicros) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.pollInterval(Duration.ofMillis(20))
			.until(() -> NODES.stream().anyMatch((node) -> node != former && node.find(what, afterMicros).isPresent()));
		return NODES.stream()
			.filter((node) -> node != former)
			.flatMap((node) -> node.find(what, afterMicros).stream())
			.findFirst()
			.orElseThrow();
	}

	private void report(String what, List<Long> micros) {
		List<Long> sorted = micros.stream().sorted().toList();
		System.out.println("%s: %s: median %.1f ms of %d, which are %s".formatted(getClass().getSimpleName(), what,
				sorted.get(sorted.size() / 2) / 1000.0, sorted.size(),
				sorted.stream().map((one) -> "%.1f".formatted(one / 1000.0)).toList()));
	}

	private static long micros() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

}
