package io.leaderelection;

/**
 * A listener's place with an elector, given up by closing it.
 */
@FunctionalInterface
public interface Registration extends AutoCloseable {

	/**
	 * Ends the deliveries. One that has begun is not interrupted. May be called again.
	 */
	@Override
	void close();

}
