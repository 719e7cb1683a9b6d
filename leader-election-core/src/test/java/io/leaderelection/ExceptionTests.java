package io.leaderelection;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a user reads when something is refused.
 */
class ExceptionTests {

	private static final FencingToken TOKEN = new FencingToken("reports", 7);

	@Test
	void notBeingLeaderNamesWhoIs() {
		Leader leader = new Leader("node-b", TOKEN);
		NotLeaderException ex = new NotLeaderException("reports", Optional.of(leader));
		assertThat(ex).hasMessage("This node does not lead 'reports'; the leader is 'node-b'");
		assertThat(ex.election()).isEqualTo("reports");
		assertThat(ex.leader()).contains(leader);
	}

	@Test
	void notBeingLeaderSaysThatNobodyIsKnownToBe() {
		NotLeaderException ex = new NotLeaderException("reports", Optional.empty());
		assertThat(ex).hasMessage("This node does not lead 'reports'; no leader is known");
		assertThat(ex.leader()).isEmpty();
	}

	@Test
	void notBeingLeaderSurvivesSerialization() throws Exception {
		NotLeaderException ex = new NotLeaderException("reports", Optional.of(new Leader("node-b", TOKEN)));
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(ex);
		}
		try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
			NotLeaderException copy = (NotLeaderException) in.readObject();
			assertThat(copy).hasMessage(ex.getMessage());
			assertThat(copy.election()).isEqualTo("reports");
			assertThat(copy.leader()).isEmpty();
		}
	}

	@Test
	void aLostLeadershipNamesItsToken() {
		LeadershipLostException ex = new LeadershipLostException(TOKEN);
		assertThat(ex).hasMessage("The leadership of 'reports' with token 7 ended before its work did");
		assertThat(ex.token()).isEqualTo(TOKEN);
	}

	@Test
	void aStaleLeaderNamesBothTokens() {
		FencingToken newest = new FencingToken("reports", 9);
		StaleLeaderException ex = new StaleLeaderException(TOKEN, newest);
		assertThat(ex).hasMessage("The token 7 of 'reports' is stale: the resource has seen 9");
		assertThat(ex.refused()).isEqualTo(TOKEN);
		assertThat(ex.newest()).isEqualTo(newest);
	}

	@Test
	void anUnknownCandidateIsNamedBesideTheKnownOnes() {
		UnknownCandidateException ex = new UnknownCandidateException("reports", "node-x", List.of("node-a", "node-b"));
		assertThat(ex).hasMessage("'node-x' does not stand for 'reports'; known candidates: node-a, node-b");
		assertThat(ex.nodeId()).isEqualTo("node-x");
		assertThat(ex.candidates()).containsExactly("node-a", "node-b");
		assertThat(new UnknownCandidateException("reports", "node-x", List.of()))
			.hasMessage("'node-x' does not stand for 'reports'; known candidates: none");
	}

	@Test
	void onlyAnEndThatSomebodyAskedForIsVoluntary() {
		assertThat(LossReason.values()).filteredOn(LossReason::isVoluntary)
			.containsExactlyInAnyOrder(LossReason.STEPPED_DOWN, LossReason.TRANSFERRED, LossReason.PAUSED,
					LossReason.UNHEALTHY, LossReason.STOPPED, LossReason.TOKEN_REJECTED);
	}

}
