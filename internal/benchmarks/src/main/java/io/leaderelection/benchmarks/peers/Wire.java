package io.leaderelection.benchmarks.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One node's way to its store. It can hold back every byte and close nothing, as a
 * network does that swallows packets.
 */
final class Wire implements AutoCloseable {

	private final ServerSocket door;

	private final int storePort;

	private final Set<Socket> open = ConcurrentHashMap.newKeySet();

	private boolean swallowing;

	Wire(int storePort) throws IOException {
		this.storePort = storePort;
		this.door = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
		inBackground(this::serve);
	}

	int port() {
		return this.door.getLocalPort();
	}

	synchronized void swallow() {
		this.swallowing = true;
	}

	synchronized void forward() {
		this.swallowing = false;
		notifyAll();
	}

	private synchronized void awaitPassage() throws InterruptedException {
		while (this.swallowing) {
			wait();
		}
	}

	private void serve() throws IOException {
		while (true) {
			Socket client = this.door.accept();
			this.open.add(client);
			inBackground(() -> connect(client));
		}
	}

	private void connect(Socket client) throws IOException, InterruptedException {
		Socket store = new Socket(InetAddress.getLoopbackAddress(), this.storePort);
		this.open.add(store);
		client.setTcpNoDelay(true);
		store.setTcpNoDelay(true);
		inBackground(() -> pass(client, store));
		pass(store, client);
	}

	private void pass(Socket from, Socket to) throws IOException, InterruptedException {
		try (from; to) {
			InputStream in = from.getInputStream();
			byte[] bytes = new byte[1 << 14];
			for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
				awaitPassage();
				to.getOutputStream().write(bytes, 0, count);
			}
		}
		finally {
			this.open.remove(from);
			this.open.remove(to);
		}
	}

	private static void inBackground(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// one end is closed
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}, "wire");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.door.close();
		forward();
		this.open.forEach((socket) -> {
			try {
				socket.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private interface Task {

		void run() throws IOException, InterruptedException;

	}

}
