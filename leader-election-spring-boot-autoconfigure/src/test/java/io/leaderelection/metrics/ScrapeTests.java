package io.leaderelection.metrics;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.leaderelection.FencingToken;
import io.leaderelection.Leader;
import io.leaderelection.LeaderElector;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.metrics.MeteredNode.Jobs;
import io.leaderelection.metrics.MeteredNode.Renewals;
import io.leaderelection.metrics.Monitoring.Query;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * What Prometheus reads from two nodes after a failover and some trouble: all that is
 * documented, nothing that is not, and all that dashboard and alerts ask for.
 */
@Timeout(120)
class ScrapeTests {

	/** What Prometheus adds to every series. */
	private static final Set<String> LABELS_OF_PROMETHEUS = Set.of("job", "instance");

	private static final InMemoryLeaseStore LEASES = new InMemoryLeaseStore();

	private static MeteredNode a;

	private static MeteredNode b;

	@BeforeAll
	static void failOver() {
		a = new MeteredNode("node-a", LEASES);
		await().until(() -> a.elector("reports").isLeader() && a.elector("mails").isLeader());
		b = new MeteredNode("node-b", LEASES);
		await().until(() -> b.elector("reports").getCurrentLeader().isPresent());
		callGuardedMethods();
		failOneRenewal();
		assertThat(a.elector("reports").operations().transferTo("node-b")).succeedsWithin(MeteredNode.SOON)
			.isEqualTo(true);
		await().until(b.elector("reports")::isLeader);
		a.elector("reports").tryBecomeLeader();
		await().until(() -> a.elector("reports").getCurrentLeader().map(Leader::nodeId).orElse(""), "node-b"::equals);
		refuseAToken();
		loseTheLeaseInTheMiddleOfACall();
	}

	private static void callGuardedMethods() {
		a.bean(Jobs.class).publish();
		assertThatIllegalStateException().isThrownBy(a.bean(Jobs.class)::fail);
		b.bean(Jobs.class).publish();
		assertThatExceptionOfType(NotLeaderException.class).isThrownBy(b.bean(Jobs.class)::count);
	}

	private static void failOneRenewal() {
		LeaderElector reports = a.elector("reports");
		a.renewals(Renewals.FAIL);
		reports.operations().recheck();
		await().until(() -> reports.status().failuresInARow() > 0);
		a.renewals(Renewals.PASS);
		reports.operations().recheck();
		await().until(() -> reports.status().failuresInARow() == 0);
	}

	private static void refuseAToken() {
		FencingToken newest = b.elector("reports").fencingToken().orElseThrow();
		FencingToken stale = new FencingToken("reports", newest.value() - 1);
		a.bean(StaleTokens.class).refused(new StaleLeaderException(stale, newest));
	}

	private static void loseTheLeaseInTheMiddleOfACall() {
		LeaderElector mails = a.elector("mails");
		assertThatExceptionOfType(LeadershipLostException.class).isThrownBy(() -> a.bean(Jobs.class).during(() -> {
			a.renewals(Renewals.LOSE);
			mails.operations().recheck();
			await().until(() -> !mails.isLeader());
		}));
		a.renewals(Renewals.PASS);
	}

	@AfterAll
	static void stop() {
		a.close();
		b.close();
	}

	@Test
	void everyDocumentedMeterExistsWithItsTags() {
		List<Sample> scrape = a.scrape();
		assertThat(Documented.all()).hasSizeGreaterThan(10).allSatisfy((documented) -> {
			for (String name : documented.samples()) {
				assertThat(scrape).filteredOn((sample) -> sample.name().equals(name))
					.as("%s", name)
					.isNotEmpty()
					.allSatisfy((sample) -> assertThat(sample.labels().keySet()).isEqualTo(documented.tags()));
			}
		});
	}

	@Test
	void everyMeterIsDocumented() {
		Set<String> documented = Documented.all()
			.stream()
			.flatMap((meter) -> meter.samples().stream())
			.collect(Collectors.toSet());
		assertThat(a.scrape()).extracting(Sample::name).isNotEmpty().isSubsetOf(documented);
	}

	@Test
	void theValuesOfTagsAreDocumented() {
		Set<String> values = a.scrape()
			.stream()
			.flatMap((sample) -> sample.labels().entrySet().stream())
			.filter((label) -> Set.of("kind", "reason", "outcome", "operation").contains(label.getKey()))
			.map(Map.Entry::getValue)
			.collect(Collectors.toSet());
		assertThat(values).hasSizeGreaterThan(15)
			.allMatch((value) -> Documented.read("metrics.md").contains("`%s`".formatted(value)));
	}

	@Test
	void everyMeterOfOursHasADescriptionAndTheTagsThatAreDocumented() {
		assertThat(a.bean(MeterRegistry.class).getMeters()).map(Meter::getId)
			.filteredOn((id) -> id.getName().startsWith("leader.election."))
			.isNotEmpty()
			.allSatisfy((id) -> {
				assertThat(id.getDescription()).as("%s", id).isNotBlank();
				Documented documented = Documented.all()
					.stream()
					.filter((meter) -> meter.name().equals(id.getName()))
					.findFirst()
					.orElseThrow();
				assertThat(id.getTags()).extracting(Tag::getKey).containsExactlyElementsOf(documented.tags());
			});
	}

	@Test
	void anElectionAndANodeCostAsManySeriesAsIsDocumented() {
		List<Sample> ours = b.scrape()
			.stream()
			.filter((sample) -> sample.name().startsWith("leader_election_"))
			.toList();
		long ofElection = ours.stream().filter((sample) -> sample.has(Map.of("election", "mails"))).count();
		long ofNode = ours.stream().filter((sample) -> !sample.labels().containsKey("election")).count();
		assertThat(Documented.read("metrics.md"))
			.contains("%d series in Prometheus per election, and %d per node".formatted(ofElection, ofNode));
	}

	@Test
	void aFailoverIsSeen() {
		assertThat(a.value("leader_election_leader", "election", "reports")).isZero();
		assertThat(a.value("leader_election_token", "election", "reports")).isZero();
		assertThat(a.value("leader_election_validity_seconds", "election", "reports")).isZero();
		assertThat(a.value("leader_election_transitions_total", "election", "reports", "kind", "gained")).isOne();
		assertThat(a.value("leader_election_transitions_total", "election", "reports", "reason", "transferred"))
			.isOne();
		assertThat(a.value("leader_election_transitions_total", "election", "mails", "reason", "stolen")).isOne();
		assertThat(a.value("leader_election_failover_seconds_count", "election", "reports"))
			.as("recorded by the new leader only")
			.isZero();
		assertThat(b.value("leader_election_leader", "election", "reports")).isOne();
		assertThat(b.value("leader_election_token", "election", "reports"))
			.isEqualTo(b.elector("reports").fencingToken().orElseThrow().value());
		assertThat(b.value("leader_election_validity_seconds", "election", "reports")).isBetween(0.1,
				b.value("leader_election_lease_seconds", "election", "reports"));
		assertThat(b.value("leader_election_failover_seconds_count", "election", "reports")).isOne();
	}

	@Test
	void whatWasSkippedIsNotCountedAsExecuted() {
		assertThat(a.value("leader_election_guarded_calls_total", "election", "reports", "outcome", "executed"))
			.isEqualTo(2);
		assertThat(a.value("leader_election_guarded_execution_seconds_count", "election", "reports")).isEqualTo(2);
		assertThat(a.value("leader_election_guarded_calls_total", "election", "mails", "outcome", "lost")).isOne();
		assertThat(a.value("leader_election_guarded_calls_total", "election", "mails", "outcome", "executed")).isZero();
		assertThat(b.value("leader_election_guarded_calls_total", "election", "reports", "outcome", "skipped")).isOne();
		assertThat(b.value("leader_election_guarded_calls_total", "election", "reports", "outcome", "rejected"))
			.isOne();
		assertThat(b.value("leader_election_guarded_calls_total", "election", "reports", "outcome", "executed"))
			.isZero();
		assertThat(b.value("leader_election_guarded_execution_seconds_count", "election", "reports")).isZero();
	}

	@Test
	void troubleIsSeen() {
		assertThat(a.value("leader_election_stale_tokens_total", "election", "reports")).isOne();
		assertThat(a.value("leader_election_store_failures_total", "operation", "renew")).isPositive();
		assertThat(a.value("leader_election_store_calls_seconds_count", "operation", "renew")).isPositive();
		assertThat(a.value("leader_election_store_calls_seconds_max", "operation", "renew")).isPositive();
		assertThat(b.value("leader_election_store_failures_total", "operation", "renew")).isZero();
	}

	@Test
	void callsAreTimedByMethodThroughTheirObservations() {
		assertThat(a.value("leader_only_seconds_count", "method", "Jobs.publish", "outcome", "executed")).isOne();
		assertThat(a.value("leader_only_seconds_count", "method", "Jobs.fail", "error", "IllegalStateException"))
			.isOne();
		assertThat(a.value("leader_only_seconds_count", "method", "Jobs.during", "outcome", "lost")).isOne();
		assertThat(b.scrape()).extracting(Sample::name).noneMatch((name) -> name.startsWith("leader_only"));
	}

	@Test
	void dashboardAndAlertsAskForWhatThereIs() {
		Set<String> known = a.scrape().stream().map(Sample::name).collect(Collectors.toSet());
		assertThat(Monitoring.queries()).hasSizeGreaterThan(20).allSatisfy((query) -> {
			assertThat(query.metrics()).as("%s", query.expression()).isNotEmpty().isSubsetOf(known);
			assertThat(query.isBalanced()).as("%s", query.expression()).isTrue();
		});
	}

	@Test
	void dashboardAndAlertsUseLabelsThatThereAre() {
		Map<String, Set<String>> known = labels(a.scrape());
		assertThat(Monitoring.queries()).allSatisfy((query) -> {
			Set<String> ofAny = new TreeSet<>();
			query.metrics().forEach((metric) -> ofAny.addAll(known.get(metric)));
			assertThat(query.groupingLabels()).as("%s", query.expression()).isSubsetOf(ofAny);
			query.selectors()
				.forEach((metric, labels) -> assertThat(labels).as("%s in %s", metric, query.expression())
					.isSubsetOf(known.get(metric)));
		});
	}

	private static Map<String, Set<String>> labels(List<Sample> scrape) {
		Map<String, Set<String>> labels = new HashMap<>();
		scrape.forEach((sample) -> labels.computeIfAbsent(sample.name(), (name) -> new TreeSet<>(LABELS_OF_PROMETHEUS))
			.addAll(sample.labels().keySet()));
		return labels;
	}

	@Test
	void theDashboardShowsAllThatIsMeasured() {
		Set<String> shown = Monitoring.dashboard()
			.stream()
			.map(Query::metrics)
			.flatMap(Set::stream)
			.collect(Collectors.toSet());
		assertThat(Documented.all()).filteredOn((meter) -> meter.name().startsWith("leader.election."))
			.allMatch((meter) -> meter.samples().stream().anyMatch(shown::contains));
	}

	@Test
	void everyAlertSaysWhatToDo() {
		String page = Documented.read("metrics.md");
		Set<String> anchors = page.lines()
			.filter((line) -> line.startsWith("### "))
			.map((line) -> "docs/metrics.md#" + line.substring(4).toLowerCase().replace(' ', '-'))
			.collect(Collectors.toSet());
		assertThat(Monitoring.alerts()).hasSizeGreaterThan(4).allSatisfy((alert) -> {
			assertThat(alert.summary()).isNotBlank();
			assertThat(alert.description()).isNotBlank();
			assertThat(anchors).contains(alert.runbook());
			assertThat(page).contains("| `%s` |".formatted(alert.name()));
		});
	}

	@Test
	void theMetersOfAClosedContextAreGone() {
		MeteredNode c = new MeteredNode("node-c", LEASES);
		PrometheusMeterRegistry registry = c.bean(PrometheusMeterRegistry.class);
		assertThat(Sample.in(registry.scrape())).isNotEmpty();
		c.close();
		assertThat(Sample.in(registry.scrape())).isEmpty();
	}

}
