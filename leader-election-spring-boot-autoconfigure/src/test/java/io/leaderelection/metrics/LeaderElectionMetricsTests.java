package io.leaderelection.metrics;

import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LossReason;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.test.TestLeadership;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The meters, without an application.
 */
@Timeout(60)
class LeaderElectionMetricsTests {

	private static final Method METHOD = Object.class.getMethods()[0];

	private final TestLeadership leadership = new TestLeadership();

	private final LeaderElector elector = this.leadership.elections().elector("reports");

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final LeaderElectionMetrics metrics = new LeaderElectionMetrics(this.leadership.elections());

	@AfterEach
	void close() {
		this.leadership.close();
	}

	@Test
	void everythingIsThereBeforeAnythingHappens() {
		this.metrics.bindTo(this.registry);
		assertThat(this.registry.find("leader.election.transitions").counters()).hasSize(1 + LossReason.values().length)
			.allMatch((counter) -> counter.count() == 0);
		assertThat(this.registry.find("leader.election.guarded.calls").counters()).hasSize(4)
			.allMatch((counter) -> counter.count() == 0);
		assertThat(this.registry.find("leader.election.store.calls").timers()).hasSize(5);
		assertThat(this.registry.find("leader.election.store.failures").counters()).hasSize(5);
		assertThat(this.registry.get("leader.election.stale.tokens").counter().count()).isZero();
		assertThat(this.registry.get("leader.election.failover").timer().count()).isZero();
	}

	@Test
	void gaugesFollowTheElection() {
		this.metrics.bindTo(this.registry);
		assertThat(gauge("leader")).isZero();
		assertThat(gauge("token")).isZero();
		assertThat(gauge("validity")).isZero();
		FencingToken token = this.leadership.grant("reports");
		assertThat(gauge("leader")).isOne();
		assertThat(gauge("token")).isEqualTo(token.value());
		assertThat(this.registry.get("leader.election.validity").timeGauge().value(TimeUnit.SECONDS)).isBetween(5.0,
				10.0);
		assertThat(this.registry.get("leader.election.lease").timeGauge().value(TimeUnit.SECONDS)).isEqualTo(10);
		this.leadership.revoke("reports");
		assertThat(gauge("leader")).isZero();
		assertThat(gauge("token")).isZero();
	}

	@Test
	void aFenceThatRejectsTheLeaderBlocksTheElection() {
		this.metrics.bindTo(this.registry);
		this.leadership.grant("reports");
		assertThat(gauge("blocked")).isZero();
		this.elector.leadership().orElseThrow().tokenRejected(new FencingToken("reports", Long.MAX_VALUE));
		await().until(() -> gauge("blocked") == 1);
	}

	@Test
	void allWorkUnderWayIsCounted() throws Exception {
		this.metrics.bindTo(this.registry);
		this.leadership.grant("reports");
		double during = this.elector.executeAsLeader(() -> gauge("guarded.active"));
		assertThat(during).isOne();
		assertThat(gauge("guarded.active")).isZero();
	}

	@Test
	void everyLossHasItsReason() {
		this.metrics.bindTo(this.registry);
		this.leadership.grant("reports");
		this.leadership.revoke("reports");
		this.leadership.grant("reports");
		this.leadership.expire("reports");
		this.leadership.grant("reports");
		this.elector.operations().pause();
		await().until(() -> transitions("lost", "paused") == 1);
		assertThat(transitions("gained", "none")).isEqualTo(3);
		assertThat(transitions("lost", "stolen")).isOne();
		assertThat(transitions("lost", "expired")).isOne();
	}

	@Test
	void electionsMadeLaterHaveMetersToo() {
		this.metrics.bindTo(this.registry);
		this.leadership.elections().elector("mails");
		assertThat(this.registry.get("leader.election.leader").tag("election", "mails").gauge().value()).isZero();
	}

	@Test
	void whoLeadsAlreadyWhenTheMetersComeHasGainedIt() {
		this.leadership.grant("reports");
		this.metrics.bindTo(this.registry);
		await().until(() -> transitions("gained", "none") == 1);
	}

	@Test
	void theGarbageCollectorDoesNotTakeGauges() {
		this.metrics.bindTo(this.registry);
		this.leadership.grant("reports");
		WeakReference<Object> garbage = new WeakReference<>(new Object());
		await().until(() -> {
			System.gc();
			return garbage.get() == null;
		});
		assertThat(gauge("leader")).isOne();
		assertThat(gauge("validity")).isPositive();
	}

	@Test
	void whatBecameOfACallIsCountedInEveryRegistry() {
		SimpleMeterRegistry other = new SimpleMeterRegistry();
		this.metrics.bindTo(this.registry);
		this.metrics.bindTo(other);
		this.leadership.grant("reports");
		call();
		for (MeterRegistry each : List.of(this.registry, other)) {
			assertThat(each.get("leader.election.guarded.calls").tag("outcome", "executed").counter().count()).isOne();
			assertThat(each.get("leader.election.guarded.calls").tag("outcome", "lost").counter().count()).isOne();
			assertThat(each.get("leader.election.guarded.execution").timer().totalTime(TimeUnit.NANOSECONDS))
				.isEqualTo(12);
		}
	}

	@Test
	void tokensOfElectionsThatThisNodeDoesNotStandForAreCountedToo() {
		this.metrics.bindTo(this.registry);
		refuse("others");
		assertThat(this.registry.get("leader.election.stale.tokens").tag("election", "others").counter().count())
			.isOne();
	}

	@Test
	void tagsCanBeAdded() {
		try (LeaderElectionMetrics tagged = new LeaderElectionMetrics(this.leadership.elections(),
				Tags.of("node", "a"))) {
			tagged.bindTo(this.registry);
			assertThat(this.registry.getMeters()).isNotEmpty()
				.allMatch((meter) -> "a".equals(meter.getId().getTag("node")));
		}
	}

	@Test
	void closingRemovesAllMetersFromARegistryThatLivesOn() {
		SimpleMeterRegistry part = new SimpleMeterRegistry();
		CompositeMeterRegistry composite = new CompositeMeterRegistry().add(part);
		this.metrics.bindTo(this.registry);
		this.metrics.bindTo(composite);
		Meter foreign = part.counter("leader.election.of.others");
		this.metrics.close();
		assertThat(this.registry.getMeters()).isEmpty();
		assertThat(composite.getMeters()).isEmpty();
		assertThat(part.getMeters()).containsExactly(foreign);
	}

	@Test
	void nothingComesBackAfterClosing() {
		this.metrics.bindTo(this.registry);
		this.leadership.grant("reports");
		this.metrics.close();
		this.leadership.elections().elector("mails");
		this.leadership.revoke("reports");
		call();
		refuse("others");
		assertThat(this.registry.getMeters()).isEmpty();
	}

	private void call() {
		Leadership present = this.elector.leadership().orElse(null);
		if (present == null) {
			this.leadership.grant("reports");
			present = this.elector.leadership().orElseThrow();
		}
		this.metrics.executed(present, METHOD, 5, null);
		this.metrics.lost(present, METHOD, 7, null);
		this.metrics.skipped("reports", METHOD);
		this.metrics.rejected("reports", METHOD);
	}

	private void refuse(String election) {
		this.metrics.refused(new StaleLeaderException(new FencingToken(election, 1), new FencingToken(election, 2)));
	}

	private double gauge(String name) {
		return this.registry.get("leader.election." + name).gauge().value();
	}

	private double transitions(String kind, String reason) {
		return this.registry.get("leader.election.transitions").tags("kind", kind, "reason", reason).counter().count();
	}

}
