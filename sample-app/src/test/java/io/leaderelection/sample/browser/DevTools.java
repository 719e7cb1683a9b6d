package io.leaderelection.sample.browser;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Speaks the DevTools protocol: a command, and its answer.
 */
class DevTools implements WebSocket.Listener, AutoCloseable {

	private static final long PATIENCE_SECONDS = 30;

	private final JsonMapper json = new JsonMapper();

	private final Map<Long, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();

	private final AtomicLong number = new AtomicLong();

	private final StringBuilder partial = new StringBuilder();

	private final WebSocket socket;

	DevTools(URI address) {
		this.socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(address, this).join();
	}

	JsonNode ask(String session, String method, Map<String, ?> parameters) {
		long id = this.number.incrementAndGet();
		CompletableFuture<JsonNode> answer = new CompletableFuture<>();
		this.asked.put(id, answer);
		Map<String, ?> command = session.isEmpty() ? Map.of("id", id, "method", method, "params", parameters)
				: Map.of("id", id, "method", method, "params", parameters, "sessionId", session);
		synchronized (this) {
			this.socket.sendText(this.json.writeValueAsString(command), true).join();
		}
		JsonNode said = answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
		if (said.has("error")) {
			throw new IllegalStateException("%s: %s".formatted(method, said.get("error")));
		}
		return said.get("result");
	}

	@Override
	public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
		this.partial.append(data);
		if (last) {
			JsonNode message = this.json.readTree(this.partial.toString());
			this.partial.setLength(0);
			if (message.has("id")) {
				this.asked.remove(message.get("id").asLong()).complete(message);
			}
		}
		webSocket.request(1);
		return null;
	}

	@Override
	public void close() {
		this.socket.abort();
	}

}
