package io.leaderelection.sample;

import io.leaderelection.FencingToken;
import io.leaderelection.jdbc.JdbcFence;
import io.leaderelection.test.TestLeadership;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client sees of leadership.
 */
@SampleTest
class LeaderControllerTests {

	@Autowired
	MockMvcTester http;

	@Autowired
	TestLeadership leadership;

	@Autowired
	JdbcFence fence;

	@Autowired
	Ledger ledger;

	@Test
	void aLeaderSaysThatItLeadsAndShowsItsToken() {
		FencingToken token = this.leadership.grant(Payouts.ELECTION);
		assertThat(this.http.get().uri("/api/leader/status")).hasStatusOk().bodyJson().isStrictlyEqualTo("""
				{
					"nodeId": "%1$s",
					"leading": true,
					"token": "%2$d",
					"leader": { "nodeId": "%1$s", "token": "%2$d" }
				}
				""".formatted(this.leadership.elections().nodeId(), token.value()));
	}

	@Test
	void aFollowerSaysWhoLeads() {
		this.leadership.grant(Payouts.ELECTION);
		this.leadership.revoke(Payouts.ELECTION);
		assertThat(this.http.get().uri("/api/leader/status")).hasStatusOk()
			.bodyJson()
			.hasPathSatisfying("$.leading", (leading) -> leading.assertThat().isEqualTo(false))
			.hasPathSatisfying("$.token", (token) -> token.assertThat().isNull())
			.extractingPath("$.leader.nodeId")
			.isNotEqualTo(this.leadership.elections().nodeId());
	}

	@Test
	void theLeaderDoesTheTaskUnderItsToken() {
		FencingToken token = this.leadership.grant(Payouts.ELECTION);
		long payout = this.ledger.nextPayout();
		assertThat(this.http.post().uri("/api/leader/admin/task")).hasStatusOk()
			.bodyJson()
			.hasPathSatisfying("$.payout", (number) -> number.assertThat().isEqualTo((int) payout))
			.extractingPath("$.token")
			.isEqualTo(String.valueOf(token.value()));
		assertThat(this.ledger.latest(1)).singleElement().extracting(LedgerEntry::payout).isEqualTo(payout);
	}

	@Test
	void aFollowerRefusesTheTaskAndNamesTheLeaderToTry() {
		this.leadership.grant(Payouts.ELECTION);
		this.leadership.revoke(Payouts.ELECTION);
		long payout = this.ledger.nextPayout();
		MvcTestResult answer = this.http.post().uri("/api/leader/admin/task").exchange();
		assertThat(answer).hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
			.hasContentType(MediaType.APPLICATION_PROBLEM_JSON)
			.containsHeader(HttpHeaders.RETRY_AFTER)
			.bodyJson()
			.extractingPath("$.leader")
			.isEqualTo(this.leadership.elections().elector(Payouts.ELECTION).getCurrentLeader().orElseThrow().nodeId());
		assertThat(this.ledger.nextPayout()).isEqualTo(payout);
	}

	@Test
	void theTaskOfALeaderThatWasReplacedIsRefusedByTheLedgerAndWrittenDown() {
		FencingToken token = this.leadership.grant(Payouts.ELECTION);
		FencingToken newer = this.leadership.fence(Payouts.ELECTION);
		this.fence.announce(newer);
		long payout = this.ledger.nextPayout();
		assertThat(this.http.post().uri("/api/leader/admin/task")).hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
			.bodyJson()
			.extractingPath("$.type")
			.isEqualTo("urn:problem-type:leader-election:stale-leader");
		assertThat(this.ledger.nextPayout()).isEqualTo(payout);
		assertThat(this.ledger.latestRefused(1)).singleElement().satisfies((refused) -> {
			assertThat(refused.payout()).isEqualTo(payout);
			assertThat(refused.token()).isEqualTo(String.valueOf(token.value()));
			assertThat(refused.newestToken()).isEqualTo(String.valueOf(newer.value()));
		});
	}

	@Test
	void theLedgerCanBeReadOnEveryNode() {
		assertThat(this.http.get().uri("/api/ledger")).hasStatusOk()
			.bodyJson()
			.hasPath("$.accepted")
			.hasPath("$.books");
	}

	@Test
	void actuatorShowsLeadershipHealthAndMeters() {
		assertThat(this.http.get().uri("/actuator/leader")).hasStatusOk()
			.bodyJson()
			.hasPath("$.elections." + Payouts.ELECTION);
		assertThat(this.http.get().uri("/actuator/health")).hasStatusOk()
			.bodyJson()
			.hasPath("$.components.leaderElection");
		assertThat(this.http.get().uri("/actuator/info")).hasStatusOk();
		assertThat(this.http.get().uri("/actuator/prometheus")).hasStatusOk();
	}

	@Test
	void withoutTheDemoNobodyMovesLeadershipOrHurtsTheNode() {
		FencingToken token = this.leadership.grant(Payouts.ELECTION);
		for (String path : new String[] { "/api/demo/freeze", "/api/demo/cut-off", "/api/demo/crash" }) {
			assertThat(this.http.post().uri(path).contentType(MediaType.APPLICATION_JSON).content("{\"seconds\": 1}"))
				.as(path)
				.hasStatus(HttpStatus.NOT_FOUND);
		}
		assertThat(this.http.post()
			.uri("/actuator/leader/" + Payouts.ELECTION)
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"action\": \"step-down\"}")).hasStatus4xxClientError();
		assertThat(this.leadership.elections().elector(Payouts.ELECTION).fencingToken()).contains(token);
		assertThat(this.http.get().uri("/api/node")).hasStatusOk()
			.bodyJson()
			.extractingPath("$.controls")
			.isEqualTo(false);
	}

}
