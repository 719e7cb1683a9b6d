package io.leaderelection;

/**
 * Work that one thread does under a leadership. A step-down waits until it is ended, and
 * its leadership is the thread's {@link Leadership#current() current} one.
 *
 * <pre>{@code
 * try (Work work = elector.begin(OnLoss.INTERRUPT).orElseThrow()) {
 *     write(work.leadership().token());
 * }
 * }</pre>
 */
public interface Work extends AutoCloseable {

	/**
	 * The leadership that the work is done under.
	 * @return the leadership
	 */
	Leadership leadership();

	/**
	 * Begins a part of this work that continues without a thread of its own, such as a
	 * future. A step-down waits for it, too. It is neither interrupted nor the current
	 * leadership of any thread: use {@link Leadership#onEnding} to cancel it.
	 * @return the part, to be ended once, by any thread
	 * @throws IllegalStateException if this work has ended
	 */
	Work detached();

	/**
	 * Ends the work, on the thread that began it, inner work before outer. An interrupt
	 * that the loss of leadership has caused ends here, too, unless the work around this
	 * was interrupted as well.
	 * @return whether the leadership lasted until now; if not, what the work has done may
	 * have been done concurrently with a newer leader
	 * @throws IllegalStateException if called twice, by another thread or out of order
	 */
	boolean end();

	/**
	 * Ends the work as {@link #end()} does.
	 * @throws LeadershipLostException if the leadership did not last until now
	 */
	@Override
	default void close() {
		if (!end()) {
			throw new LeadershipLostException(leadership().token());
		}
	}

}
