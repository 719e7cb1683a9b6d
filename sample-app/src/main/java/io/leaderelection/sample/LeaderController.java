package io.leaderelection.sample;

import java.util.Optional;

import io.leaderelection.FencingToken;
import io.leaderelection.Leader;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.annotation.LeaderOnly;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Who leads, and something that only the leader does.
 */
@RestController
@RequestMapping("/api/leader")
class LeaderController {

	private final LeaderElections elections;

	private final LeaderElector elector;

	private final Payouts payouts;

	LeaderController(LeaderElections elections, @Qualifier(Payouts.ELECTION) LeaderElector elector, Payouts payouts) {
		this.elections = elections;
		this.elector = elector;
		this.payouts = payouts;
	}

	/**
	 * This node, and the current leader. No I/O.
	 */
	@GetMapping("/status")
	Status status() {
		Optional<FencingToken> token = this.elector.fencingToken();
		return new Status(this.elections.nodeId(), token.isPresent(), LeaderController.text(token),
				this.elector.getCurrentLeader().map(KnownLeader::of).orElse(null));
	}

	/**
	 * Makes a payout out of turn. On a node that does not lead the answer is 503, with
	 * the leader to try and when to try again; the starter writes it.
	 */
	@PostMapping("/admin/task")
	@LeaderOnly(Payouts.ELECTION)
	LedgerEntry payNow(FencingToken token) throws InterruptedException {
		return this.payouts.payNext(token);
	}

	private static @Nullable String text(Optional<FencingToken> token) {
		return token.map(FencingToken::value).map(String::valueOf).orElse(null);
	}

	/**
	 * This node, and the current leader.
	 *
	 * @param nodeId this node
	 * @param leading whether it leads
	 * @param token the token of its leadership; {@code null} unless it leads
	 * @param leader who leads as this node last saw it; {@code null} if nobody is known
	 * to
	 */
	record Status(String nodeId, boolean leading, @Nullable String token, @Nullable KnownLeader leader) {
	}

	record KnownLeader(String nodeId, String token) {

		private static KnownLeader of(Leader leader) {
			return new KnownLeader(leader.nodeId(), String.valueOf(leader.token().value()));
		}

	}

}
