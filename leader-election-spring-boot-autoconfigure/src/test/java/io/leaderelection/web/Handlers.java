package io.leaderelection.web;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.FencingToken;
import io.leaderelection.Leader;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.fencing.InMemoryFence;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handlers that both stacks understand. This node leads "reports", another one "mails".
 */
@RestController
class Handlers {

	private final InMemoryFence resource = new InMemoryFence();

	@GetMapping("/own")
	String own(@Qualifier("reports") FencingToken token, @Qualifier("reports") Leadership leadership) {
		return token + " " + leadership.token().equals(token) + " " + leadership.isCurrent();
	}

	@GetMapping("/own/mails")
	String ownMails(@Qualifier("mails") FencingToken token) {
		return "never: " + token;
	}

	@GetMapping("/own/mails/leadership")
	String ownMailsLeadership(@Qualifier("mails") Leadership leadership) {
		return "never: " + leadership;
	}

	@GetMapping("/own/paused")
	String ownPaused(@Qualifier("paused") FencingToken token) {
		return "never: " + token;
	}

	@GetMapping("/own/optional")
	String ownOptional(@Qualifier("mails") Optional<FencingToken> token,
			@Qualifier("mails") Optional<Leadership> leadership, @Qualifier("mails") @Nullable FencingToken nullable,
			@Qualifier("reports") Optional<FencingToken> there) {
		return "%s %s %s %s".formatted(token.isPresent(), leadership.isPresent(), nullable, there.orElseThrow());
	}

	@GetMapping("/own/unnamed")
	String ownUnnamed(FencingToken token) {
		return "never: " + token;
	}

	@GetMapping("/own/unknown")
	String ownUnknown(@Qualifier("unknown") FencingToken token) {
		return "never: " + token;
	}

	@GetMapping("/not-leader")
	String notLeader() {
		throw new NotLeaderException("mails", Optional.of(new Leader("node \"2\"", new FencingToken("mails", 7))));
	}

	@GetMapping("/not-leader/wrapped")
	String wrapped() {
		throw new IllegalArgumentException("outer", new NotLeaderException("mails", Optional.empty()));
	}

	@GetMapping("/not-leader/later")
	Mono<String> later() {
		return Mono.delay(Duration.ofMillis(20))
			.then(Mono.error(() -> new NotLeaderException("mails", Optional.empty())));
	}

	@GetMapping("/not-leader/future")
	CompletableFuture<String> future() {
		return CompletableFuture.supplyAsync(() -> {
			throw new NotLeaderException("mails", Optional.empty());
		});
	}

	@GetMapping("/lost")
	String lost() {
		throw new LeadershipLostException(new FencingToken("reports", 5));
	}

	@GetMapping("/stale-leader")
	String staleLeader() {
		throw new StaleLeaderException(new FencingToken("reports", 5), new FencingToken("reports", 6));
	}

	@GetMapping("/other")
	String other() {
		throw new IllegalStateException("nothing to do with leadership");
	}

	@PostMapping("/write")
	String write(@CallerToken("reports") FencingToken token) {
		return "written " + token;
	}

	@PostMapping("/write/any")
	String writeAny(@CallerToken FencingToken token) {
		return "written " + token;
	}

	@PostMapping("/write/placeholder")
	String writePlaceholder(@CallerToken(election = "${write.election}") FencingToken token) {
		return "written " + token;
	}

	@PostMapping("/write/optional")
	String writeOptional(@CallerToken Optional<FencingToken> optional, @CallerToken @Nullable FencingToken nullable,
			@CallerToken(required = false) FencingToken notRequired) {
		return "%s %s %s".formatted(optional, nullable, notRequired);
	}

	@PostMapping("/write/unchecked")
	String writeUnchecked(@CallerToken(check = false) FencingToken token) {
		return "seen " + token;
	}

	@PostMapping("/write/own-fence")
	String writeOwnFence(@CallerToken(check = false) FencingToken token) {
		this.resource.check(token);
		return "written " + token;
	}

	@PostMapping("/write/wrong-type")
	String writeWrongType(@CallerToken String token) {
		return "never: " + token;
	}

}
