package io.leaderelection.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.leaderelection.ElectionSettings;
import io.leaderelection.ElectionStatus;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.OnLoss;
import io.leaderelection.Work;
import io.leaderelection.actuate.EndpointNode.Answer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The endpoint as operators meet it, whichever way they come: a whole application, and
 * another node that stands by. Every test has an election of its own.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LeaderEndpointContract {

	private EndpointNode node;

	private LeaderElections other;

	private String election = "";

	abstract EndpointNode start();

	abstract Answer read();

	abstract Answer read(String election);

	abstract Answer act(String election, Map<String, String> wish);

	/** How a refusal with this HTTP status is told from others here. */
	abstract int status(int http);

	@BeforeAll
	void startNodes() {
		this.node = start();
		this.other = LeaderElections.on(this.node.store())
			.nodeId("node-b")
			.settings(ElectionSettings.ofLease(EndpointNode.LEASE))
			.build();
		this.other.start();
	}

	@AfterAll
	void stopNodes() {
		this.other.close();
		this.node.close();
	}

	@BeforeEach
	void holdAnElection(TestInfo test) {
		this.election = test.getTestMethod().orElseThrow().getName() + System.nanoTime();
		lead(this.election);
	}

	EndpointNode node() {
		return this.node;
	}

	String election() {
		return this.election;
	}

	private void lead(String election) {
		await().until(this.node.elector(election)::isLeader);
	}

	LeaderElector standBy() {
		LeaderElector standing = this.other.elector(this.election);
		await().until(() -> standing.getCurrentLeader().isPresent());
		return standing;
	}

	@Test
	void saysWhoLeadsAndWhy() {
		standBy();
		assertDescribed(read(this.election).body());
		Answer answer = read();
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.body()).containsEntry("nodeId", "node-a");
		assertThat(answer.at("backend")).containsEntry("name", "memory")
			.containsEntry("limits", this.node.store().limits());
		assertDescribed(answer.at("elections", this.election));
	}

	private void assertDescribed(Map<String, Object> described) {
		long token = elector().fencingToken().orElseThrow().value();
		assertThat(described).containsEntry("state", "leader")
			.containsEntry("leading", true)
			.containsEntry("inFlight", 0)
			.containsEntry("standby", List.of("node-b"));
		Answer answer = new Answer(200, described);
		assertThat(answer.at("leader")).containsEntry("nodeId", "node-a")
			.containsEntry("token", token)
			.containsKey("since");
		assertThat(answer.at("lease")).containsEntry("duration", "PT1M")
			.containsEntry("token", token)
			.containsKeys("remainingValidity", "lastRenewal");
		assertThat(answer.at("store")).containsEntry("failuresInARow", 0).containsKeys("lastRoundTrip", "lastError");
	}

	@Test
	void keepsTheReasonsOfChanges() {
		act("pause");
		List<?> transitions = (List<?>) read(this.election).body().get("transitions");
		assertThat(transitions).hasSize(2);
		assertThat(transitions.get(0)).asInstanceOf(InstanceOfAssertFactories.MAP)
			.containsEntry("kind", "gained")
			.containsEntry("reason", null);
		assertThat(transitions.get(1)).asInstanceOf(InstanceOfAssertFactories.MAP)
			.containsEntry("kind", "lost")
			.containsEntry("reason", "paused");
	}

	@Test
	void aNodeStepsDownAndAnotherTakesOver() {
		LeaderElector standing = standBy();
		Answer answer = act("step-down", "holdOff", "1h");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.body()).containsEntry("election", this.election)
			.containsEntry("action", "step-down")
			.containsEntry("complete", true)
			.containsEntry("released", true);
		assertThat(answer.at("state")).containsEntry("leading", false);
		await().until(standing::isLeader);
		Answer meanwhile = read(this.election);
		assertThat(meanwhile.body()).containsEntry("state", "holding-off");
		assertThat(meanwhile.body().get("holdOffUntil")).isNotNull();
		assertThat(meanwhile.at("leader")).containsEntry("nodeId", "node-b").containsEntry("since", null);
	}

	@Test
	void aNodeThatStepsDownStandsAsideForOneLeaseAtLeast() {
		assertThat(act("step-down").body()).containsEntry("released", true);
		assertThat(elector().status().state().name()).isEqualTo("HOLDING_OFF");
		assertThat(elector().isLeader()).isFalse();
	}

	@Test
	void leadershipIsHandedToANamedNode() {
		LeaderElector standing = standBy();
		Answer answer = act("transfer", "to", "node-b");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.body()).containsEntry("action", "transfer").containsEntry("released", true);
		await().until(standing::isLeader);
		assertThat(elector().status().lastTransition().orElseThrow().reason().orElseThrow().name())
			.isEqualTo("TRANSFERRED");
	}

	@Test
	void aPauseLastsUntilItIsEnded() {
		Answer paused = act("pause");
		assertThat(paused.status()).isEqualTo(200);
		assertThat(paused.body()).containsEntry("released", true);
		assertThat(paused.at("state")).containsEntry("state", "paused");
		assertThat(elector().tryBecomeLeader()).isFalse();
		assertThat(act("pause").body()).as("a second time").containsEntry("released", false);
		assertThat(act("resume").body()).containsEntry("complete", true).containsEntry("released", false);
		await().until(elector()::isLeader);
	}

	@Test
	void actionsAreReadInAnyCase() {
		assertThat(act("Pause").at("state")).containsEntry("state", "paused");
	}

	@Test
	void workUnderWayIsNotWaitedForForLong() {
		Work work = elector().begin(OnLoss.SIGNAL).orElseThrow();
		try {
			Answer answer = act("step-down");
			assertThat(answer.status()).isEqualTo(202);
			assertThat(answer.body()).containsEntry("complete", false).containsEntry("released", false);
			assertThat(answer.at("state")).containsEntry("state", "draining").containsEntry("inFlight", 1);
		}
		finally {
			work.end();
		}
		await().untilAsserted(() -> assertThat(read(this.election).body()).containsEntry("state", "holding-off"));
	}

	@Test
	void nothingIsHandedOverWhileTheStoreCannotBeAsked() {
		standBy();
		this.node.silence(this.election);
		assertRefused(act("transfer", "to", "node-b"), 503, "could not be asked for", "The line is dead");
		assertThat(read(this.election).at("leader")).containsEntry("nodeId", "node-a");
	}

	@Test
	void inputIsShortInMessages() {
		Answer answer = act("step-down", "holdOff", "x".repeat(5000));
		assertThat(answer.status()).isEqualTo(status(400));
		assertThat(answer.detail()).contains("'xxx").hasSizeLessThan(200);
	}

	@Test
	void anElectionThatDoesNotExistIsNotFound() {
		Answer answer = act("unknown", Map.of("action", "pause"));
		assertThat(answer.status()).isEqualTo(status(404));
		assertThat(answer.detail()).contains("There is no election 'unknown'", "allowed: reports");
		assertThat(read("unknown").status()).isEqualTo(404);
		assertUnchanged();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', nullValues = "-", textBlock = """
			explode   | -      | -    | There is no action 'explode'; allowed: step-down, transfer, pause, resume
			-         | -      | -    | 'action' is missing; allowed: step-down, transfer, pause, resume
			""        | -      | -    | There is no action ''; allowed: step-down, transfer, pause, resume
			transfer  | -      | -    | 'transfer' needs 'to', a node that stands by; allowed: node-b
			transfer  | ""     | -    | 'transfer' needs 'to', a node that stands by; allowed: node-b
			transfer  | " "    | -    | 'transfer' needs 'to', a node that stands by; allowed: node-b
			transfer  | node-x | -    | 'node-x' does not stand by
			transfer  | node-a | -    | 'node-a' does not stand by
			transfer  | node-b | 1s   | 'holdOff' goes with 'step-down' only
			pause     | node-b | -    | 'to' goes with 'transfer' only
			pause     | -      | 1s   | 'holdOff' goes with 'step-down' only
			step-down | node-b | -    | 'to' goes with 'transfer' only
			step-down | -      | soon | 'holdOff' is a duration such as 30s, not 'soon'
			step-down | -      | -1s  | 'holdOff' is a duration such as 30s, not '-1s'
			step-down | -      | ""   | 'holdOff' is a duration such as 30s, not ''
			step-down | -      | 8d   | 'holdOff' is at most 7d, not '8d'; 'pause' lasts until 'resume'
			step-down | -      | 9223372036854775807d | 'holdOff' is a duration such as 30s, not '9223372036854775807d'
			resume    | -      | 1s   | 'holdOff' goes with 'step-down' only
			resume    | node-b | -    | 'to' goes with 'transfer' only
			""")
	void whatMakesNoSenseChangesNothing(String action, String to, String holdOff, String detail) {
		standBy();
		Map<String, String> wish = new LinkedHashMap<>();
		wish.put("action", action);
		wish.put("to", to);
		wish.put("holdOff", holdOff);
		wish.values().removeIf((value) -> value == null);
		assertRefused(act(this.election, wish), 400, detail);
	}

	@ParameterizedTest
	@ValueSource(strings = { "step-down", "transfer" })
	void aFollowerNamesTheLeaderToAsk(String action) {
		LeaderElector standing = standBy();
		elector().operations().transferTo("node-b").join();
		await().until(standing::isLeader);
		await().until(() -> elector().getCurrentLeader().filter((it) -> it.nodeId().equals("node-b")).isPresent()
				|| elector().tryBecomeLeader());
		ElectionStatus before = elector().status();
		Answer answer = action.equals("transfer") ? act("transfer", "to", "node-a") : act("step-down");
		assertThat(answer.status()).isEqualTo(status(409));
		assertThat(answer.detail())
			.isEqualTo("This node does not lead '%s'; ask the leader, 'node-b'".formatted(this.election));
		assertThat(standing.isLeader()).isTrue();
		assertThat(elector().status().transitions()).isEqualTo(before.transitions());
	}

	@ParameterizedTest
	@ValueSource(strings = { "a/b", "a/b/c", "50 % of Zürich", "a.b;c=d?e#f" })
	void anElectionMayBeCalledAnything(String name) {
		lead(name);
		assertThat(read(name).body()).containsEntry("leading", true);
		assertThat(act(name, Map.of("action", "pause")).body()).containsEntry("election", name)
			.containsEntry("released", true);
		assertThat(act(name, Map.of("action", "resume")).body()).containsEntry("election", name);
		lead(name);
	}

	private void assertRefused(Answer answer, int status, String... detail) {
		assertThat(answer.status()).as("%s", answer).isEqualTo(status(status));
		assertThat(answer.detail()).contains(detail);
		assertUnchanged();
	}

	void assertUnchanged() {
		assertThat(elector().isLeader()).isTrue();
		assertThat(elector().status().state().name()).isEqualTo("LEADER");
		assertThat(elector().status().transitions()).hasSize(1);
	}

	private Answer act(String action, String... more) {
		Map<String, String> wish = new LinkedHashMap<>(Map.of("action", action));
		for (int i = 0; i < more.length; i += 2) {
			wish.put(more[i], more[i + 1]);
		}
		return act(this.election, wish);
	}

	private LeaderElector elector() {
		return this.node.elector(this.election);
	}

}
