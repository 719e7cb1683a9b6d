package io.leaderelection.benchmarks.peers.node;

import java.util.List;
import java.util.OptionalLong;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * This project, on the store that the properties name.
 */
@Configuration(proxyBeanMethods = false)
class Ours {

	@Bean
	Candidacy candidacy(LeaderElections elections, NodeSettings settings) {
		List<LeaderElector> electors = settings.names().stream().map(elections::elector).toList();
		electors.get(0).onLeadershipGained(() -> Diary.gained(0));
		return new Candidacy() {

			@Override
			public boolean leads(int election) {
				return electors.get(election).isLeader();
			}

			@Override
			public OptionalLong token() {
				return electors.get(0)
					.fencingToken()
					.map(FencingToken::value)
					.map(OptionalLong::of)
					.orElseGet(OptionalLong::empty);
			}

		};
	}

}
