package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import io.leaderelection.jdbc.StartCheck.Question;

import org.springframework.context.SmartLifecycle;

/**
 * Asks databases whether they can be used, beside everything else that starts. One that
 * answers that it cannot ends the start. One that is silent holds it up for no longer
 * than its patience, which counts from when it was asked, so mostly not at all.
 */
final class StartChecks implements SmartLifecycle, AutoCloseable {

	/** As late as possible, but before a web server takes requests. */
	static final int PHASE = Integer.MAX_VALUE - 4096;

	private final Duration patience;

	private final List<StartCheck> checks = new CopyOnWriteArrayList<>();

	private final Map<DataSource, Silence> silences = new IdentityHashMap<>();

	private volatile boolean running;

	StartChecks(Duration patience) {
		this.patience = patience;
	}

	static Duration requireValidPatience(Duration patience) {
		if (patience.isNegative() || patience.compareTo(Duration.ofHours(1)) > 0) {
			throw new IllegalArgumentException("The timeout of the check must be from 0 to 1 hour, but is " + patience);
		}
		return patience;
	}

	/**
	 * Begins to ask.
	 * @param dataSource the database
	 * @param subject what it is about
	 * @param question asks
	 * @param conclusion what follows from a database that can be used
	 */
	synchronized void begin(DataSource dataSource, String subject, Question question, Runnable conclusion) {
		Silence silence = this.silences.computeIfAbsent(dataSource, (database) -> new Silence());
		StartCheck check = new StartCheck(subject, question, conclusion, silence);
		this.checks.add(check);
		check.begin();
		if (this.running) {
			await(check);
		}
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public void start() {
		this.running = true;
		this.checks.forEach(this::await);
	}

	private void await(StartCheck check) {
		try {
			check.await(this.patience);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public void close() {
		this.checks.forEach(StartCheck::close);
	}

}
