package io.leaderelection.benchmarks.peers.node;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Curator's latches, begun with the application and closed before the client.
 */
@Configuration(proxyBeanMethods = false)
@Import(CuratorClient.class)
class CuratorLatch {

	@Bean
	Latches candidacy(CuratorFramework curator, NodeSettings settings) throws Exception {
		Latches latches = new Latches();
		for (String name : settings.names()) {
			latches.add(new LeaderLatch(curator, "/latches/" + name, settings.id()));
		}
		return latches;
	}

	static final class Latches implements Candidacy, AutoCloseable {

		private final List<LeaderLatch> latches = new ArrayList<>();

		private void add(LeaderLatch latch) throws Exception {
			int election = this.latches.size();
			this.latches.add(latch);
			latch.addListener(new LeaderLatchListener() {

				@Override
				public void isLeader() {
					Diary.gained(election);
				}

				@Override
				public void notLeader() {
					// asked, not told
				}

			});
			latch.start();
		}

		@Override
		public boolean leads(int election) {
			return this.latches.get(election).hasLeadership();
		}

		@Override
		public void close() throws IOException {
			for (LeaderLatch latch : this.latches) {
				latch.close();
			}
		}

	}

}
