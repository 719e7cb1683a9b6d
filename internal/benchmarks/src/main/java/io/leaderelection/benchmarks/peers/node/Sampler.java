package io.leaderelection.benchmarks.peers.node;

import java.util.concurrent.locks.LockSupport;

/**
 * Asks every five milliseconds whether this node leads, and notes from when to when the
 * answer was yes. Only what was answered counts: a time without answers, as in a process
 * that is stopped, belongs to no leadership.
 */
final class Sampler implements Runnable {

	private static final long PERIOD_NANOS = 5_000_000;

	/** A longer time between two answers is noted. */
	private static final long SILENCE_MICROS = 100_000;

	private final Candidacy candidacy;

	private long lastAnswer = Diary.now();

	private boolean leading;

	Sampler(Candidacy candidacy) {
		this.candidacy = candidacy;
	}

	static void start(Candidacy candidacy) {
		Thread thread = new Thread(new Sampler(candidacy), "sampler");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void run() {
		while (!Thread.currentThread().isInterrupted()) {
			boolean leads = this.candidacy.leads(0);
			note(leads, Diary.now());
			LockSupport.parkNanos(PERIOD_NANOS);
		}
	}

	private void note(boolean leads, long now) {
		boolean silent = now - this.lastAnswer > SILENCE_MICROS;
		if (silent) {
			Diary.say("SILENT", now - this.lastAnswer);
		}
		if (this.leading && (silent || !leads)) {
			Diary.say("UNTIL", 0, this.lastAnswer);
		}
		if (leads && (silent || !this.leading)) {
			Diary.say("FROM", 0, now);
		}
		this.leading = leads;
		this.lastAnswer = now;
	}

}
