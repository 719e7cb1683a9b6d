package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.nodes.Overlaps;
import io.leaderelection.servers.FourLetterWord;
import io.leaderelection.servers.ZooKeeperServers;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole nodes on an ensemble whose own leader fails.
 */
@Timeout(60)
class EnsembleElectionsTests {

	private static final ElectionSettings SETTINGS = ElectionSettings.ofLease(Duration.ofSeconds(4));

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(30));
	}

	@Test
	void noTwoLeadWhileTheEnsembleElectsItsOwnLeader() throws Exception {
		List<ZooKeeperLeaseStore> stores = new ArrayList<>();
		List<LeaderElections> nodes = new ArrayList<>();
		try (TestingCluster ensemble = ZooKeeperServers.ensemble()) {
			try {
				for (int i = 0; i < 3; i++) {
					ZooKeeperLeaseStore store = Clients
						.store(Clients.started(ensemble.getConnectString(), Duration.ofSeconds(6)), "/elections");
					stores.add(store);
					nodes.add(LeaderElections.on(store).nodeId("node-" + i).settings(SETTINGS).build());
				}
				List<LeaderElector> electors = nodes.stream().map((node) -> node.elector("reports")).toList();
				nodes.forEach(LeaderElections::start);
				await().until(() -> electors.stream().anyMatch(LeaderElector::isLeader));
				long before = token(electors);
				try (Overlaps overlaps = new Overlaps(electors)) {
					assertThat(overlaps).isNotNull();
					InstanceSpec leader = ZooKeeperServers.leader(ensemble);
					ensemble.killServer(leader);
					// the others have to elect one, and the nodes to find it
					await().until(() -> othersServe(ensemble, leader));
					await().until(() -> electors.stream().anyMatch(LeaderElector::isLeader));
					assertThat(token(electors)).isGreaterThanOrEqualTo(before);
					int leading = IntStream.range(0, 3)
						.filter((i) -> electors.get(i).isLeader())
						.findFirst()
						.orElseThrow();
					nodes.get(leading).stop();
					await().until(() -> electors.stream().anyMatch(LeaderElector::isLeader));
					assertThat(token(electors)).isGreaterThan(before);
				}
			}
			finally {
				nodes.forEach(LeaderElections::close);
				stores.forEach(ZooKeeperLeaseStore::close);
			}
		}
	}

	private static boolean othersServe(TestingCluster ensemble, InstanceSpec killed) {
		return ensemble.getInstances()
			.stream()
			.filter((spec) -> !spec.equals(killed))
			.allMatch((spec) -> FourLetterWord.ask("srvr", spec.getPort()).contains("Mode: "));
	}

	private static long token(List<LeaderElector> electors) {
		return await().until(() -> electors.stream()
			.flatMap((elector) -> elector.fencingToken().stream())
			.mapToLong((token) -> token.value())
			.max()
			.orElse(0), (token) -> token > 0);
	}

}
