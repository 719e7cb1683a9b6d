package io.leaderelection.test.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Rules of observed-time stores broken on purpose, and the promises that fall with them.
 */
enum ObservedMutant {

	/** A renewal overwrites whatever there is. */
	RENEWAL_WITHOUT_VERSION_CHECK(ObservedMutations.RenewalWithoutCheck::new, "P1", "P3", "P6"),

	/** A heartbeat is written though a record that it renews has changed. */
	HEARTBEAT_WITHOUT_VERSION_CHECK(ObservedMutations.HeartbeatWithoutCheck::new, "P1", "P6"),

	/** A takeover does not check that there was no heartbeat since. */
	TAKEOVER_WITHOUT_HEARTBEAT_CHECK(ObservedMutations.TakeoverWithoutHeartbeatCheck::new, "P1", "P2", "P6"),

	/** A takeover does not check that the record is as it was read. */
	TAKEOVER_WITHOUT_VERSION_CHECK(ObservedMutations.TakeoverWithoutCheck::new, "P1", "P3", "P6"),

	/** A release ends whatever leadership there is. */
	RELEASE_WITHOUT_VERSION_CHECK(ObservedMutations.ReleaseWithoutCheck::new, "P1", "P3", "P4", "P6"),

	/** The time that a record was seen unchanged counts from the request that read it. */
	EXPIRY_FROM_THE_REQUEST(ObservedMutations.ExpiryFromRequest::new, "P1", "P6"),

	/** A lease is taken when it was seen unchanged for half of its duration. */
	EXPIRY_AFTER_HALF_THE_LEASE(ObservedMutations.ExpiryAfterHalf::new, "P1", "P6"),

	/** A takeover keeps the token of the last leadership. */
	TOKEN_NOT_INCREASED(ObservedMutations.TokenNotIncreased::new, "P1", "P3", "P6");

	private final Supplier<Tampering> tampering;

	private final List<String> promises;

	ObservedMutant(Supplier<Tampering> tampering, String... promises) {
		this.tampering = tampering;
		this.promises = Arrays.asList(promises);
	}

	Tampering tampering() {
		return this.tampering.get();
	}

	List<String> promises() {
		return this.promises;
	}

}
