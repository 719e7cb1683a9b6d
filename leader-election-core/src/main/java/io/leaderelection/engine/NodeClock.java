package io.leaderelection.engine;

/**
 * The two clocks of a node. Only lengths are ever taken from either.
 */
public interface NodeClock {

	/**
	 * The monotonic clock. It may stand still while the machine is suspended.
	 * @return nanoseconds since a fixed moment, never negative, never falling
	 */
	long nanos();

	/**
	 * The wall clock: the second witness, which goes on while the machine is suspended,
	 * and may jump.
	 * @return milliseconds since the epoch
	 */
	long wallMillis();

	/**
	 * Both clocks, read together.
	 * @return the present moment
	 */
	default Moment now() {
		return new Moment(nanos(), wallMillis());
	}

	/**
	 * A moment on both clocks of a node.
	 *
	 * @param nanos the monotonic clock
	 * @param wallMillis the wall clock
	 */
	record Moment(long nanos, long wallMillis) {
	}

}
