package io.leaderelection.test.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Rules broken on purpose, and the promises that fall with them.
 */
enum Mutant {

	/** The deadline counts from the answer, as in client-go. */
	DEADLINE_FROM_THE_RESPONSE(Mutations.DeadlineFromResponse::new, "P1", "P2"),

	/** The leader trusts its clock to run exactly as fast as the store's. */
	NO_DRIFT_MARGIN(Mutations.NoDriftMargin::new, "P1", "P2"),

	/** The lease is given up before the listeners have returned. */
	RELEASE_BEFORE_LOST(Mutations.ReleaseBeforeLost::new, "P4"),

	/** A lease has ended when the candidate's wall clock says so, as in ShedLock. */
	FOLLOWER_TRUSTS_ITS_WALL_CLOCK(Mutations.FollowerTrustsWallClock::new, "P1", "P6"),

	/** A renewal prolongs the lease of its owner, whatever the token. */
	RENEWAL_NOT_CONDITIONED_ON_THE_TOKEN(Mutations.RenewalWithoutToken::new, "P1", "P6"),

	/** A renewal prolongs whatever lease there is. */
	RENEWAL_NOT_CONDITIONED_AT_ALL(Mutations.RenewalWithoutCondition::new, "P1", "P6"),

	/** Renewing stops for good after one failure, as ShedLock's keep-alive does. */
	RENEWAL_STOPS_AFTER_ONE_EXCEPTION(Mutations.RenewalStopsAfterFailure::new, "P6"),

	/** A late release ends a newer leadership of the same owner. */
	RELEASE_NOT_CONDITIONED_ON_THE_TOKEN(Mutations.ReleaseWithoutToken::new, "P1", "P6"),

	/** A machine that was suspended believes its monotonic clock. */
	NO_SECOND_WITNESS(Mutations.NoWallClock::new, "P1", "P2"),

	/** A vanished record is taken for a first start. */
	VANISHED_RECORD_IS_TAKEN_AT_ONCE(Mutations.VanishedRecordTaken::new, "P1", "P6"),

	/** Tokens begin anew when the store has lost its data. */
	TOKENS_WITHOUT_A_FLOOR(Mutations.TokensWithoutFloor::new, "P3", "P5"),

	/**
	 * A leader that steps down is not waited for by its own engine: hints are ignored.
	 */
	HINTS_ARE_IGNORED(Mutations.HintsIgnored::new, "P5"),

	/** A node that has lost its session with the store waits for its next renewal. */
	LOST_SESSION_IS_IGNORED(Mutations.LostSessionIgnored::new, "P1", "P6"),

	/** A lease that was granted before the session was lost is led with afterwards. */
	GRANT_OUTLASTS_ITS_SESSION(Mutations.GrantOutlastsSession::new, "P1", "P2", "P6"),

	/** Callbacks whose thread could not be started never run, nor do those after them. */
	FAILED_THREAD_BLOCKS_ITS_QUEUE(Mutations.FailedThreadBlocksQueue::new, "P4", "P5", "P6", "P7"),

	/** A hung call for a long lease holds up the calls for a short one. */
	HUNG_CALL_HOLDS_UP_SHORTER_LEASES(Mutations.HungCallHoldsUpOthers::new, "P5", "P6"),

	/** A leader goes on with a token that the fence has rejected. */
	REJECTED_TOKEN_IS_IGNORED(Mutations.RejectedTokenIgnored::new, "P3"),

	/** Callbacks hold up the node's other events. */
	CALLBACKS_HOLD_UP_RENEWAL(Mutations.CallbacksHoldUpRenewal::new, "P4", "P5", "P6");

	private final Supplier<Tampering> tampering;

	private final List<String> promises;

	Mutant(Supplier<Tampering> tampering, String... promises) {
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
