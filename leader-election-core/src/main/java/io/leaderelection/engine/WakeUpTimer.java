package io.leaderelection.engine;

import org.jspecify.annotations.Nullable;

/**
 * One timer, for whatever is due next. Set under the engine's lock.
 */
final class WakeUpTimer {

	private static final long NEVER = Election.NEVER;

	private final Timers timers;

	private final EngineLock lock;

	private Timers.@Nullable Timer timer;

	private long due = NEVER;

	private long settings;

	WakeUpTimer(Timers timers, EngineLock lock) {
		this.timers = timers;
		this.lock = lock;
	}

	void setTo(long due, long now) {
		if (due == this.due) {
			return;
		}
		if (this.timer != null) {
			this.timer.cancel();
		}
		clear();
		if (due != NEVER) {
			long setting = ++this.settings;
			this.timer = this.timers.schedule(Math.max(0, due - now), () -> fire(setting));
			this.due = due;
		}
	}

	/**
	 * A timer that fires though it was cancelled, since its thread had waited for the
	 * lock, leaves its successor alone.
	 */
	private void fire(long setting) {
		this.lock.enter(() -> {
			if (setting == this.settings) {
				clear();
			}
		});
	}

	private void clear() {
		this.timer = null;
		this.due = NEVER;
	}

}
