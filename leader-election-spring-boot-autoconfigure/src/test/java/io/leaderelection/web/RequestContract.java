package io.leaderelection.web;

import java.util.List;
import java.util.Map;

import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.web.WebServer.Answer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What requests to a real server are answered with.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RequestContract {

	private final LeaderElections other = LeaderElections.on(Store.STORE)
		.nodeId("node-2")
		.settings(ElectionSettings.defaults())
		.build();

	private final WebServer server;

	RequestContract(Stack stack, Class<?> functional) {
		this.other.elector("mails");
		this.other.start();
		Awaitility.await().until(this.other.elector("mails")::isLeader);
		this.server = WebServer.start(stack, List.of(Store.class, Handlers.class, functional),
				"leader-election.node-id=node-1", "leader-election.elections.reports.lease-duration=9s",
				"leader-election.elections.mails.lease-duration=4500ms", "leader-election.elections.paused=",
				"write.election=placed");
	}

	@BeforeAll
	void lead() {
		LeaderElections elections = this.server.bean(LeaderElections.class);
		elections.elector("paused").operations().pause().join();
		Awaitility.await().until(elections.elector("reports")::isLeader);
		Awaitility.await().until(() -> elections.elector("mails").getCurrentLeader().isPresent());
	}

	@AfterAll
	void close() {
		this.server.close();
		this.other.close();
	}

	@Test
	void thisNodesTokenAndLeadership() {
		FencingToken token = this.server.bean(LeaderElections.class).elector("reports").fencingToken().orElseThrow();
		assertThat(this.server.get("/own").body()).isEqualTo(token + " true true");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/own/mails", "/own/mails/leadership" })
	void aNodeThatDoesNotLeadNamesTheLeader(String path) {
		Answer answer = this.server.get(path);
		assertThat(answer.status()).isEqualTo(503);
		assertThat(answer.header("Retry-After")).containsExactly("2");
		assertThat(answer.problem()).isEqualTo(Map.of("type", "urn:problem-type:leader-election:not-leader", "title",
				"Not the leader", "status", 503, "detail", "This node does not lead 'mails'; the leader is 'node-2'.",
				"election", "mails", "leader", "node-2"));
	}

	@Test
	void aNodeThatKnowsNoLeaderSaysSo() {
		Answer answer = this.server.get("/own/paused");
		assertThat(answer.status()).isEqualTo(503);
		assertThat(answer.problem()).containsEntry("detail", "This node does not lead 'paused'; no leader is known.")
			.containsEntry("election", "paused")
			.doesNotContainKey("leader");
	}

	@Test
	void anOptionalTokenIsEmptyOnANodeThatDoesNotLead() {
		assertThat(this.server.get("/own/optional").body()).startsWith("false false null reports:");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/own/unnamed?election=reports&value=1", "/own/unknown?election=reports&value=1",
			"/write/wrong-type" })
	void whatCannotBeFilledInIsNotBoundFromTheRequestEither(String path) {
		assertThat(path.startsWith("/own") ? this.server.get(path).status() : this.server.post(path).status())
			.isEqualTo(500);
	}

	@Test
	void aNameIsQuotedInTheDocument() {
		Answer answer = this.server.get("/not-leader");
		assertThat(answer.status()).isEqualTo(503);
		assertThat(answer.problem()).containsEntry("leader", "node \"2\"");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/not-leader/wrapped", "/not-leader/later", "/not-leader/future", "/functional/not-leader" })
	void everyKindOfHandlerIsAnsweredFor(String path) {
		Answer answer = this.server.get(path, "Accept", "text/html");
		assertThat(answer.status()).isEqualTo(503);
		assertThat(answer.header("Retry-After")).containsExactly("2");
		assertThat(answer.problem()).containsEntry("type", "urn:problem-type:leader-election:not-leader")
			.containsEntry("election", "mails");
	}

	@Test
	void lostLeadershipSaysThatTheOutcomeIsUnknown() {
		Answer answer = this.server.get("/lost");
		assertThat(answer.status()).isEqualTo(503);
		assertThat(answer.header("Retry-After")).as("a repeat may do the work twice").isEmpty();
		assertThat(answer.problem())
			.isEqualTo(Map.of("type", "urn:problem-type:leader-election:leadership-lost", "title", "Leadership lost",
					"status", 503, "detail", "The leadership of 'reports' ended while the request was handled. "
							+ "Whether its work was done is not known.",
					"election", "reports"));
	}

	@Test
	void aRefusalOfThisNodesOwnTokenIsNotTheCallersFault() {
		Answer answer = this.server.get("/stale-leader");
		assertThat(answer.status()).isEqualTo(503);
		assertThat(answer.header("Retry-After")).isEmpty();
		assertThat(answer.problem()).containsEntry("type", "urn:problem-type:leader-election:stale-leader")
			.containsEntry("election", "reports")
			.doesNotContainKeys("refusedToken", "newestToken");
	}

	@Test
	void otherExceptionsAreLeftAlone() {
		Answer answer = this.server.get("/other");
		assertThat(answer.status()).isEqualTo(500);
		assertThat(answer.header("Content-Type")).doesNotContain("application/problem+json");
	}

	@Test
	void theCallersTokenPassesAsLongAsNoHigherOneHas() {
		assertThat(this.server.post("/write", "Fencing-Token", "reports:100").body()).isEqualTo("written reports:100");
		assertThat(this.server.post("/write", "Fencing-Token", "reports:100").status()).isEqualTo(200);
		assertThat(this.server.post("/write", "Fencing-Token", "reports:101").status()).isEqualTo(200);
		Answer stale = this.server.post("/write", "Fencing-Token", "reports:100");
		assertThat(stale.status()).isEqualTo(412);
		assertThat(stale.header("Retry-After")).isEmpty();
		assertThat(stale.problem())
			.isEqualTo(Map.of("type", "urn:problem-type:leader-election:stale-token", "title", "Stale fencing token",
					"status", 412, "detail", "The token 100 of 'reports' is stale: the resource has seen 101.",
					"election", "reports", "refusedToken", "100", "newestToken", "101"));
	}

	@Test
	void electionsDoNotStandInEachOthersWay() {
		assertThat(this.server.post("/write/any", "Fencing-Token", "a:9223372036854775807").status()).isEqualTo(200);
		assertThat(this.server.post("/write/any", "Fencing-Token", "b:1").body()).isEqualTo("written b:1");
		assertThat(this.server.post("/write/any", "Fencing-Token", "a%3Ab%20%C3%BC:1").body())
			.isEqualTo("written a:b ü:1");
	}

	@Test
	void aMissingTokenIsABadRequest() {
		Answer answer = this.server.post("/write");
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.problem()).isEqualTo(Map.of("type", "urn:problem-type:leader-election:missing-token", "title",
				"Missing fencing token", "status", 400, "detail",
				"The request must have a fencing token in the header 'Fencing-Token'."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "reports", "reports:0", "reports:-1", "reports:+1", "reports:01", "reports: 1",
			"reports:9223372036854775808", "reports:1, reports:2", "<script>:1" })
	void aMalformedTokenIsABadRequest(String value) {
		Answer answer = this.server.post("/write", "Fencing-Token", value);
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.problem()).containsEntry("type", "urn:problem-type:leader-election:malformed-token")
			.containsEntry("title", "Malformed fencing token");
		assertThat(answer.body()).doesNotContain("script");
	}

	@Test
	void twoTokensAreABadRequest() {
		Answer answer = this.server.post("/write", "Fencing-Token", "reports:1", "Fencing-Token", "reports:999");
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.problem().get("detail")).asString().contains("more than once");
	}

	@Test
	void anOverlongTokenIsABadRequest() {
		Answer answer = this.server.post("/write", "Fencing-Token", "r".repeat(2_000) + ":1");
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.problem().get("detail")).asString().contains("more than 1820 characters");
	}

	@Test
	void aTokenOfAnotherElectionIsABadRequest() {
		Answer answer = this.server.post("/write", "Fencing-Token", "mails:1000000");
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.problem()).containsEntry("type", "urn:problem-type:leader-election:other-election")
			.containsEntry("detail",
					"The request must have a fencing token of the election 'reports', but has one of 'mails'.");
		assertThat(this.server.post("/write/any", "Fencing-Token", "mails:1").status())
			.as("a token that was refused for another reason counts for nothing")
			.isEqualTo(200);
	}

	@Test
	void theElectionMayBeAPlaceholder() {
		assertThat(this.server.post("/write/placeholder", "Fencing-Token", "placed:1").status()).isEqualTo(200);
		assertThat(this.server.post("/write/placeholder", "Fencing-Token", "other:1").status()).isEqualTo(400);
	}

	@Test
	void aTokenThatIsNotRequiredMayBeMissingButNotMalformedOrStale() {
		assertThat(this.server.post("/write/optional").body()).isEqualTo("Optional.empty null null");
		assertThat(this.server.post("/write/optional", "Fencing-Token", "optional:2").body())
			.isEqualTo("Optional[optional:2] optional:2 optional:2");
		assertThat(this.server.post("/write/optional", "Fencing-Token", "optional").status()).isEqualTo(400);
		assertThat(this.server.post("/write/optional", "Fencing-Token", "optional:1").status()).isEqualTo(412);
	}

	@Test
	void aHandlerMayCheckTheTokenItself() {
		assertThat(this.server.post("/write/unchecked", "Fencing-Token", "own:5").status()).isEqualTo(200);
		assertThat(this.server.post("/write/unchecked", "Fencing-Token", "own:4").body()).isEqualTo("seen own:4");
		assertThat(this.server.post("/write/own-fence", "Fencing-Token", "own:5").status()).isEqualTo(200);
		Answer stale = this.server.post("/write/own-fence", "Fencing-Token", "own:4");
		assertThat(stale.status()).as("refused by a fence inside the handler").isEqualTo(412);
		assertThat(stale.problem()).containsEntry("refusedToken", "4").containsEntry("newestToken", "5");
	}

	@Test
	void functionalEndpointsAdmitTokensToo() {
		assertThat(this.server.post("/functional/write", "Fencing-Token", "functional:5").body())
			.isEqualTo("written functional:5");
		assertThat(this.server.post("/functional/write", "Fencing-Token", "functional:4").status()).isEqualTo(412);
		assertThat(this.server.post("/functional/write", "Fencing-Token", "other:4").status()).isEqualTo(400);
		assertThat(this.server.post("/functional/write").status()).isEqualTo(400);
	}

	/**
	 * One store for both nodes.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Store {

		static final LeaseStore STORE = new InMemoryLeaseStore();

		@Bean
		LeaseStore leaseStore() {
			return STORE;
		}

	}

}
