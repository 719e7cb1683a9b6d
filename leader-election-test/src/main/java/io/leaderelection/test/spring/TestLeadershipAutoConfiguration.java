package io.leaderelection.test.spring;

import io.leaderelection.LeaderElections;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.test.TestLeadership;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * {@link AutoConfiguration Auto-configuration} that takes the place of a store.
 */
@AutoConfiguration(beforeName = "io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration")
final class TestLeadershipAutoConfiguration {

	@Bean
	TestLeadership testLeadership() {
		return new TestLeadership();
	}

	@Bean(destroyMethod = "")
	@Primary
	LeaderElections leaderElections(TestLeadership leadership) {
		return leadership.elections();
	}

	@Bean
	@Primary
	LeaseStore leaseStore(TestLeadership leadership) {
		return leadership.store();
	}

}
