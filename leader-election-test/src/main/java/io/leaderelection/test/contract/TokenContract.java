package io.leaderelection.test.contract;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStoreException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every later leadership has a higher token, whatever its candidate knew.
 */
interface TokenContract extends Contract {

	@Test
	default void tokensRiseOverAThousandTakeovers() {
		List<Node> nodes = scene().nodes(3);
		String election = scene().election();
		long last = 0;
		for (int i = 0; i < 1_000; i++) {
			Node node = nodes.get(i % nodes.size());
			long floor = (i % 2 == 0) ? last : 0;
			Lease lease = node.wins(election, floor);
			assertThat(lease.token()).as("token of leadership %d", i).isGreaterThan(last);
			last = lease.token();
			node.releases(lease);
		}
	}

	@Test
	default void aTokenExceedsWhatItsCandidateHasSeen() {
		Node node = scene().node();
		String election = scene().election();
		Lease first = node.wins(election);
		node.releases(first);
		long floor = first.token() + 1_000_000_000;
		Lease second = node.wins(election, floor);
		assertThat(second.token()).isGreaterThan(floor);
		node.releases(second);
		assertThat(scene().node().wins(election).token()).isGreaterThan(second.token());
	}

	/**
	 * Tokens of different stores can be compared only if they all begin with the time of
	 * day: fences outlive a change of the store.
	 */
	@Test
	default void theFirstTokenIsAtLeastTheTimeOfDayInMicroseconds() {
		Instant tolerated = Instant.now().minus(1, ChronoUnit.HOURS);
		assertThat(scene().node().wins(scene().election()).token())
			.isGreaterThan(ChronoUnit.MICROS.between(Instant.EPOCH, tolerated));
	}

	@Test
	default void aFloorBeyondTheTimeOfDayIsExceeded() {
		Node node = scene().node();
		long floor = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().plus(365, ChronoUnit.DAYS));
		assertThat(node.wins(scene().election(), floor).token()).isGreaterThan(floor);
	}

	@Test
	default void theFirstTokenExceedsWhatItsCandidateHasSeen() {
		Node node = scene().node();
		long floor = node.wins(scene().election()).token() + 1_000_000_000;
		assertThat(node.wins(scene().election(), floor).token()).isGreaterThan(floor);
	}

	@Test
	default void aFloorBeyondWhatADoubleCountsIsExceededOrRefused() {
		Node node = scene().node();
		String election = scene().election();
		for (long floor = (1L << 53) + 1; floor < (1L << 53) + 4; floor++) {
			AcquireResult answer;
			try {
				answer = node.asksFor(election, floor);
			}
			catch (LeaseStoreException ex) {
				continue;
			}
			assertThat(answer).isInstanceOf(Granted.class);
			Lease lease = node.lease(election, answer);
			assertThat(lease.token()).isGreaterThan(floor);
			node.releases(lease);
		}
	}

}
