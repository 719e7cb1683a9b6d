package io.leaderelection.test.simulation;

import java.util.function.Consumer;

import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import org.jspecify.annotations.Nullable;

/**
 * A listener that checks P7: whole leaderships, each event once, tokens rising. It throws
 * now and then, as users' listeners do.
 */
final class Probe implements LeadershipListener {

	/** The call being made; the simulation is single-threaded per run. */
	private static final ThreadLocal<@Nullable Call> PRESENT = new ThreadLocal<>();

	private final World world;

	private final String name;

	private final Consumer<LeaderChanged> changes;

	private long gained;

	private long lost;

	private long lostCompleted;

	Probe(World world, String name, Consumer<LeaderChanged> changes) {
		this.world = world;
		this.name = name;
		this.changes = changes;
	}

	/** Runs a callback and says whether it reached a listener. */
	static Call observe(Runnable task) {
		Call call = new Call();
		PRESENT.set(call);
		try {
			task.run();
		}
		catch (ListenerFailure ex) {
			call.listener = true;
		}
		finally {
			PRESENT.remove();
		}
		return call;
	}

	@Override
	public void gained(Gained event) {
		reached();
		long token = event.token().value();
		if (this.gained != this.lost || token <= this.gained) {
			throw this.world.violation("P7", "%s was told gained(%d) after gained(%d) and lost(%d)".formatted(this.name,
					token, this.gained, this.lost));
		}
		this.gained = token;
		failNowAndThen();
	}

	@Override
	public void lost(Lost event) {
		Call call = reached();
		long token = event.token().value();
		if (token != this.gained || token <= this.lost) {
			throw this.world.violation("P7", "%s was told lost(%d) after gained(%d) and lost(%d)".formatted(this.name,
					token, this.gained, this.lost));
		}
		this.lost = token;
		call.completion = () -> this.lostCompleted = token;
		failNowAndThen();
	}

	@Override
	public void leaderChanged(LeaderChanged event) {
		reached();
		this.changes.accept(event);
	}

	/** Whether this listener has returned from being told of the loss. */
	boolean isDoneWith(long token) {
		return this.lostCompleted >= token;
	}

	boolean isBalanced() {
		return this.gained == this.lostCompleted;
	}

	private Call reached() {
		Call call = PRESENT.get();
		if (call == null) {
			throw this.world.violation("P7", this.name + " was called on the engine's own thread");
		}
		call.listener = true;
		return call;
	}

	private void failNowAndThen() {
		if (this.world.chance(0.05)) {
			throw new ListenerFailure();
		}
	}

	/**
	 * One callback.
	 */
	static final class Call {

		private boolean listener;

		private @Nullable Runnable completion;

		boolean isListener() {
			return this.listener;
		}

		void completed() {
			if (this.completion != null) {
				this.completion.run();
			}
		}

	}

	private static final class ListenerFailure extends RuntimeException {

		private static final long serialVersionUID = 1L;

		ListenerFailure() {
			super("a listener that throws", null, false, false);
		}

	}

}
