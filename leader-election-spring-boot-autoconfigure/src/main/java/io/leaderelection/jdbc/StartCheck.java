package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.leaderelection.store.LeaseStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

/**
 * One question to a database, asked by a thread of its own until it is answered. What it
 * answers while the start waits for it decides about the start; what it answers later is
 * only logged.
 */
final class StartCheck implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(StartCheck.class);

	private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

	private static final Duration LAST_RETRY = Duration.ofMinutes(1);

	private final String subject;

	private final Question question;

	private final Runnable conclusion;

	private final Silence silence;

	private final CountDownLatch closed = new CountDownLatch(1);

	private @Nullable Runnable result;

	/** Nobody waits for it any more, so that its thread has to say what it has found. */
	private boolean late;

	/**
	 * A question that is not asked yet.
	 * @param subject what it is about
	 * @param question asks
	 * @param conclusion what follows from a database that can be used
	 * @param silence of the database
	 */
	StartCheck(String subject, Question question, Runnable conclusion, Silence silence) {
		this.subject = subject;
		this.question = question;
		this.conclusion = conclusion;
		this.silence = silence;
	}

	void begin() {
		this.silence.begin();
		Thread thread = new Thread(this::run, "leader-election-check");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Waits for the answer for as long as the database says anything at all.
	 * @param patience for how long it may say nothing
	 * @throws UnusableDatabaseException if it has answered that it cannot be used
	 */
	void await(Duration patience) throws InterruptedException {
		Runnable found = result(patience);
		if (found != null) {
			found.run();
		}
	}

	private synchronized @Nullable Runnable result(Duration patience) throws InterruptedException {
		try {
			long left = this.silence.left(patience);
			while (!isSettled() && left > 0) {
				TimeUnit.NANOSECONDS.timedWait(this, left);
				left = this.silence.left(patience);
			}
		}
		finally {
			if (!isSettled()) {
				settle(null);
				logger.warn("%s could not be checked: the database has not answered yet. What it answers is said here"
					.formatted(this.subject));
			}
		}
		return this.result;
	}

	private boolean isSettled() {
		return this.late || this.result != null;
	}

	private void settle(@Nullable Runnable found) {
		this.result = found;
		this.late = found == null;
		this.silence.end();
		notifyAll();
	}

	private void run() {
		Duration delay = FIRST_RETRY;
		while (!ask() && !awaitClosed(delay)) {
			delay = (delay.compareTo(LAST_RETRY) < 0) ? delay.multipliedBy(2) : LAST_RETRY;
		}
	}

	private boolean ask() {
		try {
			this.question.ask(this.silence::interrupted);
			answered(this.conclusion);
			return true;
		}
		catch (UnusableDatabaseException ex) {
			answered(() -> {
				throw ex;
			});
			return true;
		}
		catch (LeaseStoreException | DataAccessException ex) {
			// it may be down, and come up
			unanswered(ex);
			return false;
		}
		catch (RuntimeException ex) {
			// there may be one for each tenant
			unanswered(ex);
			return true;
		}
	}

	private synchronized void unanswered(RuntimeException failure) {
		if (!isSettled()) {
			settle(null);
			logger.warn("%s could not be checked: %s".formatted(this.subject, failure.getMessage()));
		}
	}

	private void answered(Runnable found) {
		synchronized (this) {
			if (!isSettled()) {
				settle(found);
				return;
			}
		}
		try {
			found.run();
			logger.info("%s could be checked: the database can be used".formatted(this.subject));
		}
		catch (RuntimeException ex) {
			logger.error("The leader election cannot work, which its database has told too late to end the start. %s"
				.formatted(ex.getMessage()));
		}
	}

	private boolean awaitClosed(Duration delay) {
		try {
			return this.closed.await(delay.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			// nobody but this class knows the thread
			return true;
		}
	}

	/** What is under way ends by itself; nothing is asked again. */
	@Override
	public void close() {
		this.closed.countDown();
	}

	/**
	 * Asks a database something.
	 */
	interface Question {

		/**
		 * Asks.
		 * @param heard to be run whenever the database has said something
		 * @throws UnusableDatabaseException if the database cannot be used
		 */
		void ask(Runnable heard);

	}

}
