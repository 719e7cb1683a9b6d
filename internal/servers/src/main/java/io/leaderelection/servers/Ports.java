package io.leaderelection.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers.
 */
public final class Ports {

	private static final int FIRST = 10_000;

	/** Beyond are those that Linux gives to clients. */
	private static final int LAST = 32_000;

	private Ports() {
	}

	/**
	 * A port that nobody uses. It is none of those that the system gives to clients,
	 * which would take it while a server is restarted.
	 * @return the port
	 */
	public static int free() {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
			catch (BindException ex) {
				// somebody uses it
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

}
