package io.leaderelection.chaos.history;

import io.leaderelection.chaos.history.Violation.Kind;
import org.assertj.core.api.AbstractListAssert;
import org.assertj.core.api.ListAssert;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.Test;

import static io.leaderelection.chaos.history.Story.ONE;
import static io.leaderelection.chaos.history.Story.OTHER;
import static io.leaderelection.chaos.history.Story.nanos;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is planted into a history is found, and nothing else.
 */
class CheckerTests {

	@Test
	void nothingIsFoundWhereNothingIs() {
		assertThat(Story.ofAKilledLeader().violations()).isEmpty();
	}

	@Test
	void twoLeadersAtOnceAreFound() {
		Story story = Story.ofAKilledLeader().life(ONE, 1000, 13_000).says(ONE, true, 1, 10_001, 11_510);
		assertThatKinds(story).containsExactly(Kind.TWO_LEADERS, Kind.TOKEN_FELL);
	}

	@Test
	void aLeaderThatWakesAndSaysYesOnceIsFound() {
		Story story = Story.ofAKilledLeader()
			.life(ONE, 1000, 13_000)
			.fault(FaultKind.STOP, ONE, 10_000, 12_000)
			.saysOnce(ONE, true, 1, 12_001, 12_002);
		assertThatKinds(story).containsExactly(Kind.TWO_LEADERS, Kind.TOKEN_FELL);
	}

	@Test
	void aSampleThatMayHaveBeenTakenBeforeTheNextLeaderProvesNothing() {
		Story story = Story.ofAKilledLeader()
			.life(ONE, 1000, 13_000)
			.fault(FaultKind.STOP, ONE, 10_000, 12_000)
			.saysOnce(ONE, true, 1, 10_000, 12_002);
		assertThat(story.violations()).isEmpty();
	}

	@Test
	void aLowerTokenAfterAHigherOneIsFound() {
		Story story = Story.ofAKilledLeader()
			.silentFrom(OTHER, 11_502)
			.says(OTHER, true, 7, 11_502, 20_000)
			.says(OTHER, true, 6, 20_002, 30_100)
			.wrote(OTHER, 6, 1801, 1900);
		assertThatKinds(story).containsExactly(Kind.TOKEN_FELL);
	}

	@Test
	void aTokenOfTwoProcessesIsFound() {
		Story story = Story.ofAKilledLeader()
			.silentFrom(OTHER, 11_502)
			.says(OTHER, true, 1, 11_502, 30_100)
			.withoutWrites()
			.wrote(ONE, 1, 1, 800)
			.wrote(OTHER, 1, 801, 900);
		assertThatKinds(story).containsOnly(Kind.TOKEN_FELL).hasSize(2);
	}

	@Test
	void aLeadershipThatComesBackIsFound() {
		Story story = Story.ofAKilledLeader()
			.silentFrom(OTHER, 11_502)
			.says(OTHER, true, 2, 11_502, 20_000)
			.fault(FaultKind.RESET, OTHER, 20_001, 20_001)
			.says(OTHER, false, 0, 20_002, 20_010)
			.says(OTHER, true, 2, 20_012, 30_100);
		assertThatKinds(story).containsExactly(Kind.LEADERSHIP_REVIVED);
	}

	@Test
	void aStaleWriteThatWasAcceptedIsFound() {
		Story story = Story.ofAKilledLeader().withoutWrites().wrote(ONE, 1, 1, 900).wrote(OTHER, 2, 801, 1800);
		assertThatKinds(story).containsExactly(Kind.STALE_WRITE_ACCEPTED);
		assertThat(story.violations().get(0).at()).isEqualTo(nanos(11_502) + 1000);
	}

	@Test
	void aGapWithoutACauseIsFound() {
		assertThatKinds(Story.ofAKilledLeader().without(FaultKind.KILL)).containsExactly(Kind.GAP_UNEXPLAINED);
	}

	@Test
	void aGapIsNotExplainedByWhatBefellAnother() {
		Story story = Story.ofAKilledLeader().without(FaultKind.KILL).fault(FaultKind.RESET, OTHER, 9900, 9900);
		assertThatKinds(story).containsExactly(Kind.GAP_UNEXPLAINED);
	}

	@Test
	void aGapIsExplainedByWhatBefellTheStoreOrTheNode() {
		assertThat(Story.ofAKilledLeader()
			.without(FaultKind.KILL)
			.fault(FaultKind.STORE_PAUSE, Fault.STORE, 9000, 10_500)
			.violations()).isEmpty();
		assertThat(Story.ofAKilledLeader()
			.without(FaultKind.KILL)
			.fault(FaultKind.DELAY, "node-1", 9000, 9900)
			.violations()).isEmpty();
	}

	@Test
	void aGapThatLastsLongerThanItsCauseIsFound() {
		Story story = Story.ofAKilledLeader().without(FaultKind.KILL).fault(FaultKind.TERMINATE, ONE, 10_000, 10_100);
		assertThatKinds(story).containsExactly(Kind.GAP_TOO_LONG);
	}

	@Test
	void aGapIsProlongedByWhatBefallsTheNextLeader() {
		Story late = Story.ofAKilledLeader()
			.silentFrom(OTHER, 11_502)
			.says(OTHER, false, 0, 11_502, 15_000)
			.says(OTHER, true, 2, 15_002, 30_100);
		assertThatKinds(late).containsExactly(Kind.GAP_TOO_LONG);
		assertThat(late.fault(FaultKind.HALF_OPEN, "node-2", 11_000, 14_500).violations()).isEmpty();
	}

	@Test
	void aGapIsExplainedByAMachineThatStoodStillByItself() {
		Story story = Story.ofAKilledLeader()
			.without(FaultKind.KILL)
			.life(ONE, 1000, 30_100)
			.says(ONE, false, 0, 11_000, 30_100)
			.uses(ONE, 2000, 20, 10)
			.uses(ONE, 29_000, 20, 10);
		assertThatKinds(story).containsExactly(Kind.NOT_RECOVERED);
		assertThat(story.figures().stalls()).isOne();
		assertThat(story.figures().longestGapBecause()).isEqualTo("stall of the machine");
	}

	@Test
	void aProcessThatLeadsNoMoreIsFound() {
		Story story = Story.ofAKilledLeader()
			.life("node-3.1", 12_000, 32_000)
			.says("node-3.1", false, 0, 11_900, 32_000)
			.uses("node-3.1", 13_000, 20, 10)
			.uses("node-3.1", 29_000, 20, 10);
		assertThatKinds(story).containsExactly(Kind.NOT_RECOVERED);
	}

	@Test
	void threadsThatAreLeftAreFound() {
		Story story = Story.ofAKilledLeader().withoutResources().uses(OTHER, 2000, 20, 10).uses(OTHER, 29_000, 29, 10);
		assertThatKinds(story).containsExactly(Kind.LEAK);
	}

	@Test
	void connectionsThatAreLeftAreFound() {
		Story story = Story.ofAKilledLeader().withoutResources().uses(OTHER, 2000, 20, 10).uses(OTHER, 29_000, 20, 23);
		assertThatKinds(story).containsExactly(Kind.LEAK);
	}

	@Test
	void whatIsOpenedWhenConnectionsAreMadeAgainIsNoLeak() {
		Story story = Story.ofAKilledLeader()
			.withoutResources()
			.uses(OTHER, 2000, 20, 10)
			.uses(OTHER, 9000, 20, 23)
			.uses(OTHER, 29_000, 20, 23);
		assertThat(story.violations()).isEmpty();
	}

	@Test
	void whatComesDownAgainIsNoLeak() {
		Story story = Story.ofAKilledLeader().uses(OTHER, 26_000, 99, 99);
		assertThat(story.violations()).isEmpty();
	}

	@Test
	void aProcessThatDoesNotTellWhatItUsesIsFound() {
		assertThatKinds(Story.ofAKilledLeader().withoutResources()).containsExactly(Kind.BLIND);
	}

	@Test
	void aProcessThatWasNotAskedForLongIsFound() {
		Story story = Story.ofAKilledLeader()
			.life("node-3.1", 12_000, 29_000)
			.says("node-3.1", false, 0, 11_900, 25_000);
		assertThatKinds(story).containsExactly(Kind.BLIND);
	}

	@Test
	void aProcessThatWasNeverAskedIsFound() {
		assertThatKinds(Story.ofAKilledLeader().life("node-3.1", 12_000, 29_000)).containsExactly(Kind.BLIND);
	}

	@Test
	void aProcessThatWasStoppedNeedNotBeAsked() {
		Story story = Story.ofAKilledLeader()
			.life("node-3.1", 12_000, 29_000)
			.says("node-3.1", false, 0, 11_900, 15_000)
			.fault(FaultKind.STOP, "node-3.1", 15_001, 25_000)
			.says("node-3.1", false, 0, 25_001, 29_000);
		assertThat(story.violations()).isEmpty();
	}

	@Test
	void aRunInWhichNobodyWroteIsFound() {
		assertThatKinds(Story.ofAKilledLeader().withoutWrites()).containsExactly(Kind.BLIND);
	}

	@Test
	void aRunInWhichNobodyLedIsFound() {
		assertThatKinds(Story.empty()).containsOnly(Kind.BLIND).hasSize(2);
	}

	private static AbstractListAssert<?, ?, Kind, ObjectAssert<Kind>> assertThatKinds(Story story) {
		ListAssert<Violation> violations = assertThat(story.violations());
		return violations.extracting(Violation::kind);
	}

}
