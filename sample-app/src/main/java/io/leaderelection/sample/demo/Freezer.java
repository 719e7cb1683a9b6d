package io.leaderelection.sample.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.leaderelection.LeaderElector;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/**
 * Stops this process, all of it, as a long garbage collection, a suspended machine or a
 * container without processor time does. A leader is stopped in the middle of its next
 * payout, when it has decided what to write and has not written it yet: the moment that
 * no check beforehand can help with.
 */
@Component
@ConditionalOnBooleanProperty("demo.controls.enabled")
class Freezer {

	private static final long TIME_TO_ANSWER_MILLIS = 100;

	private static final long PATIENCE_MILLIS = 3000;

	private static final Log logger = LogFactory.getLog(Freezer.class);

	private final AtomicReference<Duration> wanted = new AtomicReference<>();

	private final LeaderElector elector;

	private final Chronicle chronicle;

	Freezer(LeaderElector elector, Chronicle chronicle) {
		this.elector = elector;
		this.chronicle = chronicle;
	}

	/** Stops a leader at its next payout, or after a while if it makes none. */
	void freezeFor(Duration duration) {
		this.wanted.set(duration);
		long delay = this.elector.isLeader() ? PATIENCE_MILLIS : TIME_TO_ANSWER_MILLIS;
		CompletableFuture.delayedExecutor(delay, TimeUnit.MILLISECONDS).execute(this::freezeIfWanted);
	}

	boolean isWanted() {
		return this.wanted.get() != null;
	}

	void freezeIfWanted() {
		Duration duration = this.wanted.getAndSet(null);
		if (duration != null) {
			freeze(duration);
		}
	}

	/**
	 * Another process sends the signals, since this one cannot wake itself. While this
	 * one waits for it, it is stopped.
	 */
	private void freeze(Duration duration) {
		this.chronicle.note(Chronicle.Kind.FROZEN, duration);
		try {
			Process signals = new ProcessBuilder("sh", "-c", "kill -STOP $0 && sleep $1 && kill -CONT $0",
					String.valueOf(ProcessHandle.current().pid()), String.valueOf(duration.toSeconds()))
				.start();
			int exit = signals.onExit().join().exitValue();
			if (exit != 0) {
				logger.warn("This process could not be stopped: sh ended with %d".formatted(exit));
			}
		}
		catch (IOException ex) {
			logger.warn("This process could not be stopped", ex);
		}
		this.chronicle.note(Chronicle.Kind.AWAKE, null);
	}

}
