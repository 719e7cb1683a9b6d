package io.leaderelection.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

import io.leaderelection.ElectionStatus;
import io.leaderelection.FencingToken;
import org.jspecify.annotations.Nullable;

/**
 * What this node knows of one election. Times are those of this node's wall clock.
 *
 * @param state what this node is doing: {@code leader}, {@code follower},
 * {@code acquiring}, {@code draining}, {@code holding-off}, {@code paused},
 * {@code ineligible} or {@code stopped}
 * @param leading whether this node leads
 * @param leader who leads; {@code null} if nobody does, as far as this node knows
 * @param lease this node's lease
 * @param store how the store answers
 * @param inFlight guarded calls under way on this node
 * @param transitions this node's last gains and losses, oldest first
 * @param standby the nodes that stand by
 * @param ineligible why this node is not eligible to lead: {@code not-ready},
 * {@code unhealthy}
 * @param fenceAhead the highest token that a fence has seen, if it rejects this node's
 * token although the store confirms the lease; {@code null} otherwise
 * @param blockedBy what prevents a takeover although the lease has ended, such as an open
 * transaction; {@code null} if nothing does
 * @param holdOffUntil until when this node does not ask for the lease after a step-down;
 * {@code null} unless it is holding off
 */
record ElectionDescription(String state, boolean leading, @Nullable Leader leader, Lease lease, Store store,
		int inFlight, List<Transition> transitions, List<String> standby, List<String> ineligible,
		@Nullable Long fenceAhead, @Nullable String blockedBy, @Nullable Instant holdOffUntil) {

	static ElectionDescription of(ElectionStatus status) {
		boolean leading = status.token().isPresent();
		Leader leader = status.leader()
			.map((known) -> new Leader(known.nodeId(), known.token().value(), status.leaderSince().orElse(null)))
			.orElse(null);
		Lease lease = new Lease(status.leaseDuration(), leading ? status.remainingValidity() : null,
				leading ? status.lastRenewal().orElse(null) : null,
				leading ? status.token().map(FencingToken::value).orElse(null) : null);
		Store store = new Store(status.lastRoundTrip().orElse(null), status.failuresInARow(),
				status.failuresInARow() > 0 ? status.unansweredFor() : null, status.lastError().orElse(null));
		return new ElectionDescription(word(status.state()), leading, leader, lease, store, status.inFlight(),
				status.transitions().stream().map(Transition::of).toList(), status.candidates(), ineligible(status),
				status.fenceAhead().map(FencingToken::value).orElse(null), status.blockedBy().orElse(null),
				status.holdOffUntil().orElse(null));
	}

	static List<String> ineligible(ElectionStatus status) {
		return status.ineligible().stream().sorted().map(ElectionDescription::word).toList();
	}

	static String word(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Who leads.
	 *
	 * @param nodeId the leading node
	 * @param token the token of its leadership
	 * @param since when this node became leader; {@code null} if another node leads
	 */
	public record Leader(String nodeId, long token, @Nullable Instant since) {
	}

	/**
	 * This node's lease. All but the duration is {@code null} unless this node leads.
	 *
	 * @param duration how long a lease lasts without renewal
	 * @param remainingValidity how long this node may still call itself leader
	 * @param lastRenewal when the lease was acquired or last renewed
	 * @param token the token of this leadership
	 */
	public record Lease(Duration duration, @Nullable Duration remainingValidity, @Nullable Instant lastRenewal,
			@Nullable Long token) {
	}

	/**
	 * How the store answers.
	 *
	 * @param lastRoundTrip how long the last answer took
	 * @param failuresInARow calls that have failed since the last one that succeeded
	 * @param unansweredFor for how long they have; {@code null} if none has
	 * @param lastError why the last call failed that did
	 */
	public record Store(@Nullable Duration lastRoundTrip, int failuresInARow, @Nullable Duration unansweredFor,
			@Nullable String lastError) {
	}

	/**
	 * A gain or loss of leadership by this node.
	 *
	 * @param kind {@code gained} or {@code lost}
	 * @param reason why it was lost: {@code stepped-down}, {@code transferred},
	 * {@code paused}, {@code unhealthy}, {@code stopped}, {@code token-rejected},
	 * {@code stolen}, {@code expired}, {@code store-unreachable} or {@code session-lost};
	 * {@code null} for a gain
	 * @param token the token of the leadership
	 * @param at when
	 */
	public record Transition(String kind, @Nullable String reason, long token, Instant at) {

		private static Transition of(io.leaderelection.Transition transition) {
			return new Transition(word(transition.kind()),
					transition.reason().map(ElectionDescription::word).orElse(null), transition.token().value(),
					transition.at());
		}

	}

}
