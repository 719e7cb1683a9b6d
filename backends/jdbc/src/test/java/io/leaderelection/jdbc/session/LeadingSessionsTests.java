package io.leaderelection.jdbc.session;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaderelection.jdbc.session.LeadingSessions.Slice;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whose end a node waits for, and what it does once it has come.
 */
class LeadingSessionsTests {

	private static final Duration LEASE = Duration.ofSeconds(10);

	private static final SessionMark OWN = new SessionMark("00000001", 7, 100);

	private static final SessionMark LEADER = session(300);

	private static final SessionMark ANOTHER = session(200);

	private final LeadingSessions leading = new LeadingSessions(Duration.ZERO);

	private final LeadingSessions patient = new LeadingSessions(Duration.ofNanos(1));

	@BeforeEach
	void open() {
		this.leading.own(OWN);
		this.patient.own(OWN);
	}

	@Test
	void whoLeadsIsWaitedForUntilAnotherOneLeads() throws Exception {
		isRefused(this.leading, held("reports", LEADER), held("invoices", ANOTHER));
		assertThat(waitedFor()).containsExactlyInAnyOrder(LEADER.key(), ANOTHER.key());
		isRefused(this.leading, held("reports", ANOTHER));
		assertThat(waitedFor()).containsExactly(ANOTHER.key());
		this.leading.observed(Set.of("reports", "invoices"), Map.of());
		assertThat(waitedFor()).isEmpty();
	}

	@Test
	void nobodyWaitsForItself() throws Exception {
		isRefused(this.leading, held("reports", OWN));
		assertThat(waitedFor()).isEmpty();
	}

	@Test
	void theEndOfASessionWithAnotherServerCannotBeWaitedFor() throws Exception {
		isRefused(this.leading, held("reports", new SessionMark(OWN.timeline(), OWN.server() + 1, 300)),
				held("invoices", new SessionMark("0000000A", OWN.server(), 300)));
		assertThat(waitedFor()).isEmpty();
	}

	@Test
	void anEndIsAnnouncedOnceAndNotWaitedForAgain() throws Exception {
		isRefused(this.leading, held("reports", LEADER));
		assertThat(this.leading.announce()).isEmpty();
		this.leading.ended(List.of(LEADER.key()));
		assertThat(this.leading.announce()).isNotEmpty();
		assertThat(this.leading.announce()).isEmpty();
		assertThat(waitedFor()).isEmpty();
	}

	@Test
	void anEndIsAnnouncedAgainToWhoeverIsRefusedBecauseOfItLater() {
		isRefused(this.leading, held("reports", LEADER));
		this.leading.ended(List.of(LEADER.key()));
		assertThat(this.leading.announce()).isNotEmpty();
		this.leading.observed(Set.of("reports"), Map.of());
		isRefused(this.leading, held("invoices", LEADER));
		this.leading.ended(List.of(LEADER.key()));
		assertThat(this.leading.announce()).isNotEmpty();
	}

	@Test
	void theEndOfASessionThatLeadsNoMoreMeansNothing() {
		isRefused(this.patient, held("reports", LEADER));
		this.patient.ended(List.of(ANOTHER.key()));
		assertThat(this.patient.announce()).isEmpty();
		assertThat(this.patient.takeable()).isEmpty();
	}

	@Test
	void whatSomebodyElseHasTakenIsNotTakenAgain() {
		isRefused(this.patient, held("reports", LEADER));
		this.patient.ended(List.of(LEADER.key()));
		assertThat(this.patient.takeable()).containsExactly(LEADER.key());
		isRefused(this.patient, held("reports", ANOTHER));
		assertThat(this.patient.takeable()).isEmpty();
	}

	@Test
	void withoutADelayItIsEnoughThatASessionHasEnded() {
		assertThat(this.leading.takeable()).isNull();
	}

	@Test
	void untilTheDelayIsOverNothingIsAnnouncedNorTaken() throws Exception {
		LeadingSessions delayed = new LeadingSessions(Duration.ofHours(1));
		delayed.own(OWN);
		isRefused(delayed, held("reports", LEADER), held("invoices", ANOTHER));
		delayed.ended(List.of(LEADER.key()));
		assertThat(delayed.announce()).isEmpty();
		assertThat(delayed.takeable()).isEmpty();
		Slice next = delayed.next(Duration.ZERO, () -> false);
		assertThat(next.keys()).containsExactly(ANOTHER.key());
		assertThat(next.longest()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
	}

	@Test
	void whatAnEarlierSessionWasToldDoesNotCount() throws Exception {
		isRefused(this.patient, held("reports", LEADER), held("invoices", ANOTHER));
		this.patient.ended(List.of(LEADER.key()));
		this.patient.own(session(400));
		assertThat(this.patient.takeable()).isEmpty();
		assertThat(this.patient.next(Duration.ZERO, () -> false)).isNull();
	}

	@Test
	void withoutASessionNobodyIsWaitedFor() throws Exception {
		this.leading.own(null);
		isRefused(this.leading, held("reports", LEADER));
		assertThat(waitedFor()).isEmpty();
	}

	private Set<Long> waitedFor() throws InterruptedException {
		Slice next = this.leading.next(Duration.ZERO, () -> false);
		return (next != null) ? next.keys() : Set.of();
	}

	private static void isRefused(LeadingSessions leading, Leader... leaders) {
		Map<String, SessionMark> byElection = Stream.of(leaders)
			.collect(Collectors.toMap(Leader::election, Leader::session));
		leading.observed(byElection.keySet(), byElection);
	}

	private static SessionMark session(long key) {
		return new SessionMark("00000001", 7, key);
	}

	private static Leader held(String election, SessionMark session) {
		return new Leader(election, session);
	}

	private record Leader(String election, SessionMark session) {
	}

}
