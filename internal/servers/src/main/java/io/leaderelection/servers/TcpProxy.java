package io.leaderelection.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;

/**
 * Stands between clients and one server, and can hold back all bytes without closing
 * anything, as a hung server or a network that swallows packets does.
 */
public final class TcpProxy implements AutoCloseable {

	private final ServerSocket accepting;

	private final IntSupplier serverPort;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final Object gate = new Object();

	private boolean swallowing;

	private long delayAtLeast;

	private long delayAtMost;

	/** How many connections are never served again: the first ones. */
	private int forgotten;

	private int accepted;

	private volatile boolean closed;

	public TcpProxy(IntSupplier serverPort) {
		this.serverPort = serverPort;
		try {
			this.accepting = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		daemon(this::accept);
	}

	public int port() {
		return this.accepting.getLocalPort();
	}

	public String connectString() {
		return "127.0.0.1:" + port();
	}

	/** Holds back all bytes in both directions. */
	public void swallow() {
		synchronized (this.gate) {
			this.swallowing = true;
		}
	}

	/** Lets the bytes through that were held back, and all that follow. */
	public void forward() {
		synchronized (this.gate) {
			this.swallowing = false;
			this.gate.notifyAll();
		}
	}

	/**
	 * Lets through what new connections send. Those that are there hang for ever, as
	 * after a firewall has forgotten them.
	 */
	public void forwardNewOnly() {
		synchronized (this.gate) {
			this.forgotten = this.accepted;
			forward();
		}
	}

	/**
	 * Lets what passes wait, in both directions.
	 * @param atLeastMillis how long at least
	 * @param atMostMillis how long at most; zero for not at all
	 */
	public void delay(long atLeastMillis, long atMostMillis) {
		synchronized (this.gate) {
			this.delayAtLeast = atLeastMillis;
			this.delayAtMost = atMostMillis;
		}
	}

	/** Resets all connections; new ones are let through. */
	public void reset() {
		this.sockets.forEach((socket) -> {
			try {
				socket.setSoLinger(true, 0);
			}
			catch (SocketException ex) {
				// closed already
			}
			closeQuietly(socket);
		});
	}

	/** Closes all connections; new ones are let through. */
	public void cut() {
		this.sockets.forEach(TcpProxy::closeQuietly);
	}

	private void accept() {
		while (!this.closed) {
			try {
				Socket client = this.accepting.accept();
				this.sockets.add(client);
				int number = number();
				daemon(() -> connect(client, number));
			}
			catch (IOException ex) {
				return;
			}
		}
	}

	private int number() {
		synchronized (this.gate) {
			return this.accepted++;
		}
	}

	private void connect(Socket client, int number) {
		try {
			Socket server = new Socket();
			this.sockets.add(server);
			server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.serverPort.getAsInt()), 1000);
			server.setTcpNoDelay(true);
			client.setTcpNoDelay(true);
			daemon(() -> pump(client, server, number));
			pump(server, client, number);
		}
		catch (IOException ex) {
			closeQuietly(client);
		}
	}

	private void pump(Socket from, Socket to, int number) {
		byte[] buffer = new byte[8192];
		try {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
				Thread.sleep(delayMillis());
				awaitForwarding(number);
				out.write(buffer, 0, read);
				out.flush();
			}
		}
		catch (IOException ex) {
			// one side is gone, so the other goes too
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			closeQuietly(from);
			closeQuietly(to);
			this.sockets.remove(from);
			this.sockets.remove(to);
		}
	}

	private long delayMillis() {
		synchronized (this.gate) {
			return (this.delayAtMost > 0)
					? ThreadLocalRandom.current().nextLong(this.delayAtLeast, this.delayAtMost + 1) : 0;
		}
	}

	private void awaitForwarding(int number) throws InterruptedException {
		synchronized (this.gate) {
			while ((this.swallowing || number < this.forgotten) && !this.closed) {
				this.gate.wait();
			}
		}
	}

	private static void daemon(Runnable task) {
		Thread thread = new Thread(task, "proxy");
		thread.setDaemon(true);
		thread.start();
	}

	private static void closeQuietly(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.closed = true;
		forward();
		this.accepting.close();
		cut();
	}

}
