package io.leaderelection.benchmarks.peers.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import redis.embedded.RedisServer;

/**
 * A Redis that keeps nothing on disk. It is spoken to in its inline protocol, since no
 * client here has MONITOR, the only way to tell requests from what their scripts run.
 */
final class RedisStoreServer implements StoreServer {

	private final int port;

	private final RedisServer server;

	RedisStoreServer() throws IOException {
		this.port = freePort();
		this.server = RedisServer.builder().port(this.port).bind("127.0.0.1").setting("save \"\"").build();
		this.server.start();
	}

	/** None of those that the system gives to clients, of which there are many here. */
	private static int freePort() throws IOException {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(10_000, 32_000);
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
			catch (BindException ex) {
				// somebody uses it
			}
		}
	}

	@Override
	public int port() {
		return this.port;
	}

	@Override
	public Load load(Duration time) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port);
				BufferedReader lines = reader(socket)) {
			send(socket, "MONITOR");
			lines.readLine();
			long began = System.nanoTime();
			long requests = 0;
			long commands = 0;
			for (long left = time.toMillis(); left > 0; left = time.toMillis() - millisSince(began)) {
				socket.setSoTimeout((int) left);
				try {
					String line = lines.readLine();
					commands++;
					requests += line.contains(" lua] ") ? 0 : 1;
				}
				catch (SocketTimeoutException ex) {
					// the time is over
				}
			}
			return Load.of(requests, commands, System.nanoTime() - began);
		}
	}

	private static long millisSince(long began) {
		return (System.nanoTime() - began) / 1_000_000;
	}

	@Override
	public void lose() throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port);
				BufferedReader lines = reader(socket)) {
			send(socket, "FLUSHALL");
			if (!"+OK".equals(lines.readLine())) {
				throw new IOException("Redis did not flush");
			}
		}
	}

	private static BufferedReader reader(Socket socket) throws IOException {
		return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
	}

	private static void send(Socket socket, String command) throws IOException {
		socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public void close() {
		this.server.stop();
	}

}
