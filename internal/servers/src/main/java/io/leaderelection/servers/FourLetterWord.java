package io.leaderelection.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Asks a server about itself.
 */
public final class FourLetterWord {

	/** A server that has just been started may not answer at all. */
	private static final int PATIENCE_MILLIS = 5000;

	private FourLetterWord() {
	}

	public static String ask(String word, int port) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(PATIENCE_MILLIS);
			socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
			socket.shutdownOutput();
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public static long number(String name, int port) {
		return ask("mntr", port).lines()
			.filter((line) -> line.startsWith(name + "\t"))
			.map((line) -> line.substring(name.length() + 1))
			.mapToLong((value) -> (long) Double.parseDouble(value))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("The server does not tell " + name));
	}

}
