package io.leaderelection;

/**
 * Work that one thread does under a leadership. It is counted, so that a step-down waits
 * for it, and its leadership is the thread's {@link Leadership#current() current} one.
 * Objects of this kind are used again: one that was ended must not be touched.
 */
public interface Work {

	/**
	 * The leadership that the work is done under.
	 * @return the leadership
	 */
	Leadership leadership();

	/**
	 * Ends the work, on the thread that began it, inner work before outer. An interrupt
	 * that the loss of leadership has caused ends here, too, unless the work around this
	 * was interrupted as well.
	 * @return whether the leadership lasted until now; if not, what the work has done may
	 * have been done beside a newer leader
	 * @throws IllegalStateException if called by another thread or out of order
	 */
	boolean end();

}
