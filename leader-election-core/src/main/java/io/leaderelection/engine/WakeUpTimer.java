package io.leaderelection.engine;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * One timer, for whatever is due next. Set under the engine's lock.
 */
final class WakeUpTimer {

	private static final long NEVER = Election.NEVER;

	private final Timers timers;

	private final Consumer<Runnable> engine;

	private @Nullable Setting present;

	/**
	 * A timer that is not set.
	 * @param timers runs the timer
	 * @param engine woken up under its lock when it fires
	 */
	WakeUpTimer(Timers timers, Consumer<Runnable> engine) {
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
	 * When to fire. One that fires though it was cancelled, since its thread had waited
	 * for the lock, leaves its successor alone.
	 */
	private final class Setting {

		private final long due;

		private final Timers.Timer timer;

		private Setting(long due, long now) {
			this.due = due;
			this.timer = WakeUpTimer.this.timers.schedule(Math.max(0, due - now), this::fire);
		}

		private void fire() {
			WakeUpTimer.this.engine.accept(() -> {
				if (WakeUpTimer.this.present == this) {
					WakeUpTimer.this.present = null;
				}
			});
		}

	}

}
