package io.leaderelection.chaos.node;

import java.util.concurrent.Semaphore;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.chaos.history.Attempt.Kind;
import io.leaderelection.chaos.history.Attempt.Outcome;
import io.leaderelection.chaos.node.Diary.Entry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Writes to the register: all the time as leader, once in a while with a stop in between,
 * and, for the sake of the fence, also after the leadership is lost.
 */
final class Writer implements LeadershipListener {

	private static final Log logger = LogFactory.getLog(Writer.class);

	private static final int ATTEMPTS = 20;

	private final LeaderElector elector;

	private final Register register;

	private final Diary diary;

	private final long intervalMillis;

	private final Semaphore mayGoOn = new Semaphore(0);

	Writer(LeaderElector elector, Register register, Diary diary, long intervalMillis) {
		this.elector = elector;
		this.register = register;
		this.diary = diary;
		this.intervalMillis = intervalMillis;
	}

	void start() {
		this.elector.addListener(this);
		Threads.daemon("writer", () -> {
			while (true) {
				write(Kind.LEADER, () -> {
				});
				Threads.rest(this.intervalMillis);
			}
		});
	}

	/** Begins a write, which is not sent before somebody says so. */
	void pauseInAWrite() {
		this.mayGoOn.drainPermits();
		Threads.daemon("paused writer", () -> write(Kind.PAUSED, () -> {
			this.diary.note(Entry.PAUSED, Leadership.current().orElseThrow().token().value());
			this.mayGoOn.acquireUninterruptibly();
			// nobody has told it meanwhile, as nobody tells a thread in a long collection
			Thread.interrupted();
		}));
	}

	void goOn() {
		this.mayGoOn.release();
	}

	private void write(Kind kind, Runnable between) {
		FencingToken token = this.elector.fencingToken().orElse(null);
		if (token == null) {
			return;
		}
		try {
			this.elector.executeAsLeader(() -> {
				this.register.write(Leadership.current().orElseThrow().token(), between);
				return true;
			});
			if (kind != Kind.LEADER) {
				note(kind, token, Outcome.ACCEPTED);
			}
		}
		catch (StaleLeaderException ex) {
			note(kind, ex.refused(), Outcome.REFUSED);
		}
		catch (NotLeaderException | LeadershipLostException ex) {
			logger.debug("Replaced before or while it wrote", ex);
		}
		catch (Exception ex) {
			failed(kind, token, ex);
		}
	}

	/** Waits until somebody else leads, and tries until it is refused. */
	@Override
	public void lost(Lost event) {
		Threads.daemon("former leader", () -> {
			boolean refused = false;
			for (int i = 0; i < ATTEMPTS && !refused; i++) {
				Threads.rest(100);
				refused = isReplaced(event.token()) && writeAsFormerLeader(event.token());
			}
		});
	}

	private boolean isReplaced(FencingToken token) {
		return this.elector.getCurrentLeader().filter((leader) -> leader.token().value() > token.value()).isPresent();
	}

	private boolean writeAsFormerLeader(FencingToken token) {
		try {
			this.register.writeAsFormerLeader(token);
			note(Kind.FORMER, token, Outcome.ACCEPTED);
		}
		catch (StaleLeaderException ex) {
			note(Kind.FORMER, token, Outcome.REFUSED);
			return true;
		}
		catch (Exception ex) {
			failed(Kind.FORMER, token, ex);
		}
		return false;
	}

	private void failed(Kind kind, FencingToken token, Exception failure) {
		logger.debug("Could not write", failure);
		if (kind != Kind.LEADER) {
			note(kind, token, Outcome.FAILED);
		}
	}

	private void note(Kind kind, FencingToken token, Outcome outcome) {
		this.diary.note(Entry.WRITE, kind, token.value(), outcome);
	}

}
