package io.leaderelection.sample.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

import io.leaderelection.ElectionStatus;
import io.leaderelection.FencingToken;
import io.leaderelection.Leader;
import io.leaderelection.LeaderElector;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * This node, for the page. Asks neither store nor database, so that a node that is cut
 * off answers, too.
 */
@RestController
class NodeController {

	private final LeaderElector elector;

	private final String backend;

	private final DemoProperties demo;

	private final Chronicle chronicle;

	private final ObjectProvider<Cable> cable;

	private final ObjectProvider<Freezer> freezer;

	NodeController(LeaderElector elector, @Value("${leader-election.backend:}") String backend, DemoProperties demo,
			Chronicle chronicle, ObjectProvider<Cable> cable, ObjectProvider<Freezer> freezer) {
		this.elector = elector;
		this.backend = backend.toLowerCase(Locale.ROOT);
		this.demo = demo;
		this.chronicle = chronicle;
		this.cable = cable;
		this.freezer = freezer;
	}

	@GetMapping("/api/node")
	Node node() {
		ElectionStatus status = this.elector.status();
		return new Node(status.nodeId(), Instant.now(), status.election(), this.backend, status.state().name(),
				status.token().map(NodeController::text).orElse(null), status.remainingValidity().toMillis(),
				status.leaseDuration().toMillis(), status.leader().map(Leader::nodeId).orElse(null), status.inFlight(),
				status.failuresInARow(), this.freezer.stream().anyMatch(Freezer::isWanted),
				this.cable.stream().anyMatch(Cable::isCut), this.demo.controls().enabled(),
				seconds(this.demo.controls().restartAfter()), this.demo.peers(), this.demo.peerNames(),
				this.chronicle.events());
	}

	private static String text(FencingToken token) {
		return String.valueOf(token.value());
	}

	private static @Nullable Long seconds(@Nullable Duration duration) {
		return (duration != null) ? duration.toSeconds() : null;
	}

	/**
	 * This node.
	 *
	 * @param nodeId its name
	 * @param now its wall clock
	 * @param election the election that it takes part in
	 * @param backend what decides it
	 * @param state what it is doing in it
	 * @param token the token of its leadership; {@code null} unless it leads
	 * @param validityMillis how long it may still lead without another renewal
	 * @param leaseMillis how long a lease lasts
	 * @param leader who leads as this node last saw it; {@code null} if nobody is known
	 * to
	 * @param inFlight jobs under way
	 * @param failuresInARow questions that the store has not answered since the last one
	 * that it has
	 * @param freezing whether it is about to be frozen
	 * @param cutOff whether it is cut off
	 * @param controls whether it can be hurt from the page
	 * @param restartAfterSeconds when it is started again after a crash; {@code null} if
	 * it is not
	 * @param peers the addresses of all nodes
	 * @param peerNames their names
	 * @param events what it has seen
	 */
	record Node(String nodeId, Instant now, String election, String backend, String state, @Nullable String token,
			long validityMillis, long leaseMillis, @Nullable String leader, int inFlight, int failuresInARow,
			boolean freezing, boolean cutOff, boolean controls, @Nullable Long restartAfterSeconds, List<String> peers,
			List<String> peerNames, List<Chronicle.Event> events) {
	}

}
