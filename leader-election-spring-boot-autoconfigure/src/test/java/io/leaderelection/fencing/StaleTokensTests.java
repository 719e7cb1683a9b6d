package io.leaderelection.fencing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class StaleTokensTests {

	private static final Duration LEASE = Duration.ofSeconds(60);

	@Test
	void aRefusalIsCountedAndMakesTheNodeLookAtOnce() {
		InMemoryLeaseStore store = new InMemoryLeaseStore();
		try (LeaderElections elections = LeaderElections.on(store)
			.nodeId("node")
			.settings(ElectionSettings.ofLease(LEASE))
			.build()) {
			StaleTokens staleTokens = new StaleTokens(elections);
			List<StaleLeaderException> heard = new ArrayList<>();
			staleTokens.addListener(heard::add);
			LeaderElector reports = elections.elector("reports");
			elections.start();
			Awaitility.await().until(reports::isLeader);
			FencingToken token = reports.fencingToken().orElseThrow();
			LeaseView view = store.read("reports").orElseThrow();
			store.release(List.of(new Lease("reports", view.holder().orElseThrow(), view.token(), LEASE)));

			StaleLeaderException refusal = new StaleLeaderException(token,
					new FencingToken("reports", token.value() + 1));
			assertThat(staleTokens.refused(refusal)).isSameAs(refusal);
			assertThat(staleTokens.count()).isOne();
			assertThat(heard).containsExactly(refusal);
			// the next renewal would be twenty seconds away
			Awaitility.await()
				.atMost(Duration.ofSeconds(5))
				.until(() -> !reports.fencingToken().filter(token::equals).isPresent());
		}
	}

	@Test
	void aRejectedWriteIsWarnedOfOncePerToken(CapturedOutput output) {
		try (LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore()).nodeId("node").build()) {
			StaleTokens staleTokens = new StaleTokens(elections);
			for (int i = 0; i < 3; i++) {
				staleTokens
					.refused(new StaleLeaderException(new FencingToken("reports", 7), new FencingToken("reports", 9)));
			}
			assertThat(output.getAll().split("A fence rejected a write with token 7 of 'reports': it has seen token 9"))
				.hasSize(2);
		}
	}

	@Test
	void aLeaderAcquiresATokenAboveTheOneThatTheFenceHasSeen() {
		try (LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore())
			.nodeId("node")
			.settings(ElectionSettings.ofLease(LEASE))
			.build()) {
			StaleTokens staleTokens = new StaleTokens(elections);
			LeaderElector reports = elections.elector("reports");
			elections.start();
			Awaitility.await().until(reports::isLeader);
			FencingToken token = reports.fencingToken().orElseThrow();
			FencingToken highest = new FencingToken("reports", 2 * token.value());
			staleTokens.refused(new StaleLeaderException(token, highest));
			Awaitility.await()
				.atMost(Duration.ofSeconds(5))
				.until(() -> reports.fencingToken().filter((next) -> next.compareTo(highest) > 0).isPresent());
		}
	}

	@Test
	void aTokenOfAnElectionThatIsNotKnownHereIsCounted() {
		try (LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore()).nodeId("node").build()) {
			StaleTokens staleTokens = new StaleTokens(elections);
			staleTokens.refused(new StaleLeaderException(new FencingToken("other", 1), new FencingToken("other", 2)));
			assertThat(staleTokens.count()).isOne();
			assertThat(elections.find("other")).isEmpty();
		}
	}

}
