package io.leaderelection;

import org.jspecify.annotations.Nullable;

/**
 * The leadership that the present thread works under. Whoever moves work to another
 * thread, as reactive libraries do, carries it along with these two methods; it counts
 * nothing and guards nothing.
 */
public final class CurrentLeadership {

	private static final ThreadLocal<@Nullable Leadership> PRESENT = new ThreadLocal<>();

	private CurrentLeadership() {
	}

	/**
	 * The leadership of the innermost work of this thread.
	 * @return the leadership; {@code null} if there is none
	 */
	public static @Nullable Leadership get() {
		return PRESENT.get();
	}

	/**
	 * Replaces the leadership of this thread.
	 * @param leadership the new one; {@code null} for none
	 * @return the one before, to be set again afterwards
	 */
	public static @Nullable Leadership set(@Nullable Leadership leadership) {
		Leadership before = PRESENT.get();
		// an entry without a value keeps nothing alive, and is not allocated every time
		PRESENT.set(leadership);
		return before;
	}

}
