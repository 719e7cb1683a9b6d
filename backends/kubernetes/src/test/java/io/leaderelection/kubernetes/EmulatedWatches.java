package io.leaderelection.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;

/**
 * The watches of an API server: each begins at a version, and is told when what has
 * happened since is no longer kept.
 */
final class EmulatedWatches implements AutoCloseable {

	private final ExecutorService sender = Executors.newSingleThreadExecutor();

	private final List<Event> history = new ArrayList<>();

	private final List<OpenWatch> watches = new ArrayList<>();

	private long compactedUntil;

	MockResponse open(String key, Map<String, String> query) {
		long from = Long.parseLong(query.getOrDefault("resourceVersion", "0"));
		return new MockResponse().withWebSocketUpgrade(new WebSocketListener() {

			@Override
			public void onOpen(WebSocket socket, Response response) {
				begin(new OpenWatch(key, query, socket), from);
			}

			@Override
			public void onClosed(WebSocket socket, int code, String reason) {
				ended(socket);
			}

			@Override
			public void onFailure(WebSocket socket, Throwable error, Response response) {
				ended(socket);
			}

		});
	}

	private synchronized void begin(OpenWatch watch, long from) {
		if (from < this.compactedUntil) {
			sendGone(watch);
			return;
		}
		this.history.stream().filter((event) -> event.version() > from).forEach((event) -> send(watch, event));
		this.watches.add(watch);
	}

	private synchronized void ended(WebSocket socket) {
		this.watches.removeIf((watch) -> watch.socket() == socket);
	}

	synchronized void publish(Event event) {
		this.history.add(event);
		this.watches.forEach((watch) -> send(watch, event));
	}

	synchronized void compact(long version) {
		this.compactedUntil = version;
		this.history.clear();
	}

	synchronized void expire(long version) {
		compact(version);
		this.watches.forEach(this::sendGone);
		this.watches.clear();
	}

	synchronized int count() {
		return this.watches.size();
	}

	private void send(OpenWatch watch, Event event) {
		if (event.key().startsWith(watch.key()) && ApiObjects.matches(event.object(), watch.query())) {
			String text = text(event.type(), event.object().deepCopy());
			this.sender.execute(() -> watch.socket().send(text));
		}
	}

	private void sendGone(OpenWatch watch) {
		String text = text("ERROR", ApiObjects.status(410, "Expired", "too old resource version"));
		this.sender.execute(() -> {
			watch.socket().send(text);
			watch.socket().close(1000, "gone");
		});
	}

	private static String text(String type, ObjectNode object) {
		ObjectNode event = JsonNodeFactory.instance.objectNode().put("type", type);
		event.set("object", object);
		return event.toString();
	}

	@Override
	public void close() {
		this.sender.shutdownNow();
	}

	/**
	 * A change of an object.
	 *
	 * @param version of the object after it
	 * @param type what kind of change
	 * @param key of the object
	 * @param object as it is then
	 */
	record Event(long version, String type, String key, ObjectNode object) {
	}

	private record OpenWatch(String key, Map<String, String> query, WebSocket socket) {
	}

}
