package io.leaderelection.benchmarks.peers.store;

import java.io.IOException;
import java.time.Duration;

/**
 * A server of one contestant's own. None of them waits for its disk.
 */
public interface StoreServer extends AutoCloseable {

	/**
	 * Where it listens, on this machine.
	 * @return the port
	 */
	int port();

	/**
	 * Counts for a while what clients ask of it.
	 * @param time how long
	 * @return what was asked
	 * @throws Exception if it cannot be counted
	 */
	Load load(Duration time) throws Exception;

	/**
	 * Loses what elections have written, while clients stay connected.
	 * @throws Exception if that fails
	 */
	void lose() throws Exception;

	@Override
	void close() throws IOException;

	/**
	 * What clients asked of a server.
	 *
	 * @param requests per second
	 * @param commands per second, those included that scripts run inside of the server
	 */
	record Load(double requests, double commands) {

		static Load of(long requests, long commands, long nanos) {
			return new Load(requests * 1e9 / nanos, commands * 1e9 / nanos);
		}

	}

}
