package io.leaderelection;

/**
 * What happens to work under way when its leadership ends, or begins to be given up.
 */
public enum OnLoss {

	/** Its thread is interrupted. */
	INTERRUPT,

	/** Nothing; it may ask {@link Leadership#isCurrent()}. */
	SIGNAL

}
