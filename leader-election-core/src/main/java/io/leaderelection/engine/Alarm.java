package io.leaderelection.engine;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * One timer, for whatever is due next. Set under the engine's lock.
 */
final class Alarm {

	private static final long NEVER = Election.NEVER;

	private final Timers timers;

	private final Consumer<Runnable> engine;

	private @Nullable Setting present;

	/**
	 * An alarm that is not set.
	 * @param timers what it rings by
	 * @param engine woken up under its lock when it rings
	 */
	Alarm(Timers timers, Consumer<Runnable> engine) {
		this.timers = timers;
		this.engine = engine;
	}

	void setTo(long due, long now) {
		if (due == ((this.present != null) ? this.present.due : NEVER)) {
			return;
		}
		if (this.present != null) {
			this.present.timer.cancel();
			this.present = null;
		}
		if (due != NEVER) {
			this.present = new Setting(due, now);
		}
	}

	/**
	 * When to ring. One that rings though it was cancelled, since its thread had waited
	 * for the lock, leaves its successor alone.
	 */
	private final class Setting {

		private final long due;

		private final Timers.Timer timer;

		private Setting(long due, long now) {
			this.due = due;
			this.timer = Alarm.this.timers.schedule(Math.max(0, due - now), this::ring);
		}

		private void ring() {
			Alarm.this.engine.accept(() -> {
				if (Alarm.this.present == this) {
					Alarm.this.present = null;
				}
			});
		}

	}

}
