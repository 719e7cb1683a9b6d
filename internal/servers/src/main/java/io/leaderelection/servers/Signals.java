package io.leaderelection.servers;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Signals that Java has no call for.
 */
public final class Signals {

	private Signals() {
	}

	/**
	 * Sends a signal.
	 * @param name its name, such as STOP
	 * @param pid the process
	 * @throws IllegalStateException if there is no such process
	 */
	public static void send(String name, long pid) {
		try {
			int exit = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
			if (exit != 0) {
				throw new IllegalStateException("kill -%s %d failed".formatted(name, pid));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
