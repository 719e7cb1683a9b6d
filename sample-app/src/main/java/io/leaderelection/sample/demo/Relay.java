package io.leaderelection.sample.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Passes bytes between clients in this process and one server, through a {@link Cable}.
 */
class Relay {

	private static final int CONNECT_TIMEOUT_MILLIS = 5000;

	private static final Log logger = LogFactory.getLog(Relay.class);

	private final Cable cable;

	private final String host;

	private final int port;

	private final ServerSocket clients;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	Relay(Cable cable, String host, int port) {
		this.cable = cable;
		this.host = host;
		this.port = port;
		try {
			this.clients = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start(this::accept);
	}

	int port() {
		return this.clients.getLocalPort();
	}

	private void accept() {
		while (!this.clients.isClosed()) {
			try {
				Socket client = this.clients.accept();
				this.sockets.add(client);
				start(() -> connect(client));
			}
			catch (IOException ex) {
				if (!this.clients.isClosed()) {
					logger.warn("A connection to %s:%d could not be accepted".formatted(this.host, this.port), ex);
				}
			}
		}
	}

	private void connect(Socket client) {
		Socket server = new Socket();
		this.sockets.add(server);
		try {
			this.cable.awaitMended();
			server.connect(new InetSocketAddress(this.host, this.port), CONNECT_TIMEOUT_MILLIS);
			client.setTcpNoDelay(true);
			server.setTcpNoDelay(true);
			start(() -> pass(client, server));
			pass(server, client);
		}
		catch (IOException ex) {
			logger.debug("%s:%d does not answer".formatted(this.host, this.port), ex);
			close(client);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			close(client);
		}
	}

	private void pass(Socket from, Socket to) {
		byte[] buffer = new byte[8192];
		try (from; to) {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
				this.cable.awaitMended();
				out.write(buffer, 0, read);
			}
			this.cable.awaitMended();
		}
		catch (IOException ex) {
			logger.debug("A connection to %s:%d has ended".formatted(this.host, this.port), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.sockets.remove(from);
			this.sockets.remove(to);
		}
	}

	void close() {
		try {
			this.clients.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.sockets.forEach(this::close);
	}

	private void close(Socket socket) {
		this.sockets.remove(socket);
		try {
			socket.close();
		}
		catch (IOException ex) {
			logger.debug("A connection to %s:%d could not be closed".formatted(this.host, this.port), ex);
		}
	}

	private void start(Runnable task) {
		Thread thread = new Thread(task, "relay to %s:%d".formatted(this.host, this.port));
		thread.setDaemon(true);
		thread.start();
	}

}
