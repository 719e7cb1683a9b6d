package io.leaderelection.web;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * A server that answers as told, and keeps what it was sent. It is one server under two
 * names, of which one is in the list of hosts.
 */
public final class Receiver implements AutoCloseable {

	/** The name in the list. */
	public static final String LISTED = "localhost";

	/** The name that is not in the list. */
	public static final String UNLISTED = "127.0.0.1";

	private final HttpServer server;

	private final Map<String, Reply> replies = new ConcurrentHashMap<>();

	private final List<Received> received = new CopyOnWriteArrayList<>();

	public Receiver() {
		try {
			this.server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.createContext("/", this::answer);
		this.server.start();
	}

	public String uri(String host, String path) {
		return "http://%s:%d%s".formatted(host, this.server.getAddress().getPort(), path);
	}

	public void reply(String path, int status, String contentType, String body) {
		this.replies.put(path, new Reply(status, "Content-Type", contentType, body));
	}

	public void redirect(String path, int status, String location) {
		this.replies.put(path, new Reply(status, "Location", location, ""));
	}

	/** What was received since it was last asked. */
	public List<Received> received() {
		List<Received> all = new ArrayList<>(this.received);
		this.received.clear();
		return all;
	}

	private void answer(HttpExchange exchange) throws IOException {
		exchange.getRequestBody().readAllBytes();
		this.received.add(new Received(exchange.getRequestHeaders().getFirst("Host").replaceAll(":.*", ""),
				exchange.getRequestURI().getPath(),
				List.copyOf(exchange.getRequestHeaders().getOrDefault("Fencing-Token", List.of()))));
		Reply reply = this.replies.getOrDefault(exchange.getRequestURI().getPath(),
				new Reply(200, "Content-Type", "text/plain", "fine"));
		byte[] body = reply.body.getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().set(reply.header, reply.value);
		exchange.sendResponseHeaders(reply.status, (body.length > 0) ? body.length : -1);
		try (OutputStream stream = exchange.getResponseBody()) {
			stream.write(body);
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

	/**
	 * A request, as it came over the wire.
	 */
	public record Received(String host, String path, List<String> tokens) {

	}

	private record Reply(int status, String header, String value, String body) {

	}

}
