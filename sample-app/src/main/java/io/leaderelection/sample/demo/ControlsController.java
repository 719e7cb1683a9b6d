package io.leaderelection.sample.demo;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * The ways to hurt this node. Not there unless {@code demo.controls.enabled} says so.
 * They take JSON only, which keeps pages of other origins from calling them.
 */
@RestController
@RequestMapping(path = "/api/demo", consumes = MediaType.APPLICATION_JSON_VALUE)
@ConditionalOnBooleanProperty("demo.controls.enabled")
class ControlsController {

	private static final long LONGEST_SECONDS = 60;

	private static final long TIME_TO_ANSWER_MILLIS = 50;

	/** What a process that was killed by SIGKILL leaves behind. */
	private static final int KILLED = 137;

	private final Freezer freezer;

	private final Cable cable;

	private final Chronicle chronicle;

	ControlsController(Freezer freezer, Cable cable, Chronicle chronicle) {
		this.freezer = freezer;
		this.cable = cable;
		this.chronicle = chronicle;
	}

	@PostMapping("/freeze")
	@ResponseStatus(HttpStatus.ACCEPTED)
	void freeze(@RequestBody HowLong howLong) {
		this.freezer.freezeFor(howLong.duration());
	}

	@PostMapping("/cut-off")
	@ResponseStatus(HttpStatus.ACCEPTED)
	void cutOff(@RequestBody HowLong howLong) {
		Duration duration = howLong.duration();
		if (!this.cable.leadsAnywhere()) {
			throw new ResponseStatusException(HttpStatus.CONFLICT, "This node has its database in a file.");
		}
		this.chronicle.note(Chronicle.Kind.CUT_OFF, duration);
		this.cable.cutFor(duration, () -> this.chronicle.note(Chronicle.Kind.CONNECTED, null));
	}

	@PostMapping("/crash")
	@ResponseStatus(HttpStatus.ACCEPTED)
	void crash() {
		CompletableFuture.delayedExecutor(TIME_TO_ANSWER_MILLIS, TimeUnit.MILLISECONDS)
			.execute(() -> Runtime.getRuntime().halt(KILLED));
	}

	/**
	 * For how long.
	 *
	 * @param seconds a number of seconds
	 */
	record HowLong(long seconds) {

		private Duration duration() {
			if (this.seconds < 1 || this.seconds > LONGEST_SECONDS) {
				throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
						"'seconds' is from 1 to %d, not %d".formatted(LONGEST_SECONDS, this.seconds));
			}
			return Duration.ofSeconds(this.seconds);
		}

	}

}
