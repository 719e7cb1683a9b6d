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

import static org.assertj.core.api.Assertions.assertThat;

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
	void aTokenOfAnElectionThatIsNotKnownHereIsCounted() {
		try (LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore()).nodeId("node").build()) {
			StaleTokens staleTokens = new StaleTokens(elections);
			staleTokens.refused(new StaleLeaderException(new FencingToken("other", 1), new FencingToken("other", 2)));
			assertThat(staleTokens.count()).isOne();
			assertThat(elections.find("other")).isEmpty();
		}
	}

}
