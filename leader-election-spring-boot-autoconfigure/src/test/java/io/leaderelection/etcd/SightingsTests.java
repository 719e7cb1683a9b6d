package io.leaderelection.etcd;

import java.time.Duration;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Since when records and proofs of life are known to be as they are.
 */
class SightingsTests {

	private static final Seen EARLIER = new Seen(1, Keys.bytes("earlier"));

	private static final Seen LATER = new Seen(2, Keys.bytes("later"));

	private final Sightings sightings = new Sightings();

	@Test
	void whatStaysTheSameCountsFromWhenItWasFirstSeen() {
		this.sightings.sawRecord("reports", EARLIER, "session");
		this.sightings.sawProof("session", EARLIER);
		Duration meanwhile = Duration.ofMillis(20);
		long seenAt = System.nanoTime();
		while (System.nanoTime() - seenAt < meanwhile.toNanos()) {
			Thread.onSpinWait();
		}
		this.sightings.sawRecord("reports", EARLIER, "session");
		this.sightings.sawProof("session", EARLIER);
		Duration ofRecord = this.sightings.recordUnchanged("reports", EARLIER);
		Duration ofProof = this.sightings.proofUnchanged("session", EARLIER);
		assertThat(ofRecord).isGreaterThan(meanwhile);
		assertThat(ofProof).isGreaterThan(meanwhile);
	}

	@Test
	void whatChangesCountsAnew() {
		this.sightings.sawRecord("reports", EARLIER, "session");
		this.sightings.sawProof("session", EARLIER);
		long before = System.nanoTime();
		this.sightings.sawRecord("reports", LATER, "session");
		this.sightings.sawProof("session", LATER);
		assertThat(this.sightings.recordUnchanged("reports", LATER)).isPositive()
			.isLessThanOrEqualTo(Duration.ofNanos(System.nanoTime() - before));
		assertThat(this.sightings.proofUnchanged("session", LATER)).isPositive()
			.isLessThanOrEqualTo(Duration.ofNanos(System.nanoTime() - before));
	}

	@Test
	void whatWasSeenOtherwiseProvesNothing() {
		this.sightings.sawRecord("reports", EARLIER, "session");
		this.sightings.sawProof("session", EARLIER);
		assertThat(this.sightings.recordUnchanged("reports", LATER)).isZero();
		assertThat(this.sightings.proofUnchanged("session", LATER)).isZero();
		assertThat(this.sightings.recordUnchanged("mails", EARLIER)).isZero();
	}

	@Test
	void onlyTheProofsOfThoseWhoHoldLeasesAreKept() {
		this.sightings.sawProof("session", EARLIER);
		assertThat(this.sightings.proofUnchanged("session", EARLIER)).isZero();
		this.sightings.sawRecord("reports", EARLIER, "session");
		this.sightings.sawRecord("mails", EARLIER, "session");
		this.sightings.sawProof("session", EARLIER);
		this.sightings.sawRecord("reports", LATER, "another");
		assertThat(this.sightings.proofUnchanged("session", EARLIER)).isPositive();
		assertThat(this.sightings.holders(Set.of("reports", "mails"))).containsExactlyInAnyOrder("another", "session");
		this.sightings.sawRecord("mails", LATER, null);
		assertThat(this.sightings.proofUnchanged("session", EARLIER)).isZero();
		assertThat(this.sightings.holders(Set.of("reports", "mails"))).containsExactly("another");
	}

}
