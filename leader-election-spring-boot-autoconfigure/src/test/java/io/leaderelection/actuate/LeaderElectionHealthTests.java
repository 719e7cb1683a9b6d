package io.leaderelection.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.leaderelection.ElectionSettings;
import io.leaderelection.ElectionState;
import io.leaderelection.FencingToken;
import io.leaderelection.Ineligibility;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * When a node's elections are healthy, and what is told of them.
 */
@Timeout(60)
class LeaderElectionHealthTests {

	private static final ElectionSettings LONG = ElectionSettings.ofLease(Duration.ofSeconds(60));

	private static final ElectionSettings SHORT = ElectionSettings.ofLease(Duration.ofMillis(600));

	private final SilentStore store = new SilentStore();

	private final LeaderElections one = node("one");

	private final LeaderElections other = node("other");

	@AfterEach
	void stop() {
		this.store.silent = false;
		this.one.close();
		this.other.close();
	}

	@Test
	void leadersAndFollowersAreUp() {
		LeaderElector leader = this.one.elector("reports", LONG);
		this.one.start();
		await().until(leader::isLeader);
		LeaderElector follower = this.other.elector("reports", LONG);
		this.other.start();
		await().until(() -> follower.getCurrentLeader().isPresent());
		Health ofLeader = health(this.one);
		assertThat(ofLeader.getStatus()).isEqualTo(Status.UP);
		assertThat(ofLeader.getDetails()).containsEntry("nodeId", "one")
			.containsEntry("elections", Map.of("reports", Map.of("state", "leader", "leader", "one")));
		Health ofFollower = health(this.other);
		assertThat(ofFollower.getStatus()).isEqualTo(Status.UP);
		assertThat(ofFollower.getDetails()).containsEntry("nodeId", "other")
			.containsEntry("elections", Map.of("reports", Map.of("state", "follower", "leader", "one")));
	}

	@Test
	void aNodeThatHasNotStartedIsUp() {
		this.one.elector("reports", LONG);
		assertThat(health(this.one).getStatus()).isEqualTo(Status.UP);
		assertThat(health(this.one).getDetails()).containsEntry("elections",
				Map.of("reports", Map.of("state", "stopped")));
	}

	@Test
	void aBlipIsNoOutage() {
		LeaderElector elector = this.one.elector("reports", LONG);
		this.one.start();
		await().until(elector::isLeader);
		this.store.silent = true;
		elector.operations().recheck();
		await().until(() -> elector.status().failuresInARow() > 0);
		Health health = health(this.one);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).extractingByKey("elections", InstanceOfAssertFactories.MAP)
			.extractingByKey("reports", InstanceOfAssertFactories.MAP)
			.containsEntry("state", "leader")
			.containsEntry("lastError", "The lease store does not answer 'renew': silent on purpose")
			.hasEntrySatisfying("storeUnansweredFor",
					(time) -> assertThat((Duration) time).isPositive().isLessThan(Duration.ofSeconds(60)));
	}

	@Test
	void aStoreThatIsSilentForLongerThanALeaseIsAnOutageUntilItAnswers() {
		LeaderElector elector = this.one.elector("reports", SHORT);
		this.one.start();
		await().until(elector::isLeader);
		this.store.silent = true;
		await().until(() -> health(this.one).getStatus() == Status.DOWN);
		assertThat(elector.status().unansweredFor()).isGreaterThan(SHORT.leaseDuration());
		assertThat(elector.isLeader()).isFalse();
		this.store.silent = false;
		await().until(() -> health(this.one).getStatus() == Status.UP);
		await().until(elector::isLeader);
		assertThat(health(this.one).getDetails()).containsEntry("elections",
				Map.of("reports", Map.of("state", "leader", "leader", "one")));
	}

	@Test
	void aFenceThatRejectsTheLeaderIsAnOutage() {
		LeaderElector elector = this.one.elector("reports", LONG);
		this.one.start();
		await().until(elector::isLeader);
		elector.leadership().orElseThrow().tokenRejected(new FencingToken("reports", Long.MAX_VALUE));
		await().until(() -> health(this.one).getStatus() == Status.DOWN);
		assertThat(health(this.one).getDetails()).containsEntry("elections",
				Map.of("reports", Map.of("state", "leader", "leader", "one", "fenceAhead", Long.MAX_VALUE)));
	}

	@Test
	void aNodeThatStandsAsideDoesNotAskAndSoCannotTell() {
		LeaderElector elector = this.one.elector("reports", SHORT);
		this.one.start();
		this.store.silent = true;
		await().until(() -> health(this.one).getStatus() == Status.DOWN);
		elector.operations().pause();
		await().until(() -> elector.status().state() == ElectionState.PAUSED);
		assertThat(health(this.one).getStatus()).isEqualTo(Status.UP);
		this.one.declareIneligible(Ineligibility.UNHEALTHY);
		elector.operations().resume();
		Health health = health(this.one);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).extractingByKey("elections", InstanceOfAssertFactories.MAP)
			.extractingByKey("reports", InstanceOfAssertFactories.MAP)
			.containsEntry("state", "ineligible")
			.containsEntry("ineligible", List.of("unhealthy"));
		this.one.declareEligible(Ineligibility.UNHEALTHY);
		await().until(() -> health(this.one).getStatus() == Status.DOWN);
	}

	@Test
	void thereIsAnIndicatorUnlessToldOtherwise() {
		ApplicationContextRunner conditions = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class,
					LeaderElectionActuatorAutoConfiguration.class))
			.withPropertyValues("leader-election.backend=local", "leader-election.auto-startup=false");
		conditions.run((context) -> assertThat(context).hasSingleBean(LeaderElectionHealthIndicator.class));
		conditions.withPropertyValues("management.health.leader-election.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(LeaderElectionHealthIndicator.class));
		conditions.withPropertyValues("leader-election.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(LeaderElectionHealthIndicator.class));
		conditions.withClassLoader(new FilteredClassLoader(ConditionalOnEnabledHealthIndicator.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("leaderElectionHealthIndicator"));
		conditions.withUserConfiguration(OwnIndicator.class)
			.run((context) -> assertThat(context).doesNotHaveBean(LeaderElectionHealthIndicator.class));
	}

	private LeaderElections node(String nodeId) {
		return LeaderElections.on(this.store).nodeId(nodeId).build();
	}

	private static Health health(LeaderElections elections) {
		return new LeaderElectionHealthIndicator(elections).health();
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnIndicator {

		@Bean
		HealthIndicator leaderElectionHealthIndicator() {
			return () -> Health.up().build();
		}

	}

	/**
	 * A store that may fail to answer.
	 */
	private static final class SilentStore implements LeaseStore {

		private final InMemoryLeaseStore leases = new InMemoryLeaseStore();

		private volatile boolean silent;

		@Override
		public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
			return answer().acquire(candidacies);
		}

		@Override
		public List<RenewResult> renew(List<RenewRequest> renewals) {
			return answer().renew(renewals);
		}

		@Override
		public void release(List<Lease> released) {
			answer().release(released);
		}

		@Override
		public void transfer(Lease lease, String nodeId, Duration grace) {
			answer().transfer(lease, nodeId, grace);
		}

		@Override
		public Optional<LeaseView> read(String election) {
			return answer().read(election);
		}

		private LeaseStore answer() {
			if (this.silent) {
				throw new LeaseStoreException("silent on purpose");
			}
			return this.leases;
		}

	}

}
