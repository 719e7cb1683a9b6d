package io.leaderelection.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;

/**
 * As much of an API server as Leases need, and as strict: an update is conditioned on
 * resource version and uid, and refused without them; one that changes nothing has no
 * effect; a watch begins at a version, and is told when that is no longer kept. fabric8's
 * own mock does none of the latter.
 */
final class EmulatedApiServer extends Dispatcher implements AutoCloseable {

	static final String NAMESPACE = "elections";

	private static final Pattern PATH = Pattern
		.compile("/(?:api|apis/[^/]+)/v1/namespaces/([^/]+)/(leases|pods)(?:/([^/?]+))?");

	private static final Logger requestLog = Logger.getLogger(MockWebServer.class.getName());

	private final ObjectMapper json = new ObjectMapper();

	private final MockWebServer http = new MockWebServer();

	private final Map<String, ObjectNode> objects = new LinkedHashMap<>();

	private final EmulatedWatches watches = new EmulatedWatches();

	private final Map<String, Integer> counts = new LinkedHashMap<>();

	private long version = 1000;

	private int refusals;

	private int refusalCode;

	private boolean swallowing;

	private Consumer<String> beforeNextWrite = (name) -> {
	};

	EmulatedApiServer() {
		requestLog.setLevel(Level.OFF);
		this.http.setDispatcher(this);
		this.http.start(InetAddress.getLoopbackAddress(), 0);
	}

	int port() {
		return this.http.getPort();
	}

	KubernetesClient connect() {
		return connect(port());
	}

	/** A client that repeats requests and watches for ever, as it does by default. */
	static KubernetesClient connect(int port) {
		Config config = new ConfigBuilder(Config.empty()).withMasterUrl("http://127.0.0.1:" + port)
			.withNamespace(NAMESPACE)
			.build();
		return new KubernetesClientBuilder().withConfig(config).build();
	}

	/** Answers the next requests like this. */
	synchronized void refuseNext(int count, int code) {
		this.refusals = count;
		this.refusalCode = code;
	}

	/** Does something once, between a look and the write that follows it. */
	synchronized void beforeNextWrite(Runnable action) {
		this.beforeNextWrite = (name) -> {
			this.beforeNextWrite = (next) -> {
			};
			action.run();
		};
	}

	/** Does what is asked, but keeps the answers to writes. */
	synchronized void swallowAnswers(boolean swallow) {
		this.swallowing = swallow;
	}

	synchronized int requests(String method) {
		return this.counts.getOrDefault(method, 0);
	}

	synchronized int requests() {
		return this.counts.values().stream().mapToInt(Integer::intValue).sum();
	}

	synchronized Optional<ObjectNode> lease(String name) {
		return Optional.ofNullable(this.objects.get(key(NAMESPACE, "leases", name))).map(ObjectNode::deepCopy);
	}

	synchronized void putPod(String name) {
		ObjectNode pod = this.json.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
		pod.putObject("metadata").put("name", name).put("namespace", NAMESPACE);
		stamp(pod);
		this.objects.put(key(NAMESPACE, "pods", name), pod);
	}

	synchronized ObjectNode pod(String name) {
		return this.objects.get(key(NAMESPACE, "pods", name)).deepCopy();
	}

	/** Changes a Lease as another tool does, or makes it. */
	synchronized void edit(String name, Consumer<ObjectNode> change) {
		String key = key(NAMESPACE, "leases", name);
		ObjectNode before = this.objects.get(key);
		ObjectNode lease = (before != null) ? before.deepCopy() : this.json.createObjectNode();
		lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
		lease.withObjectProperty("metadata").put("name", name).put("namespace", NAMESPACE);
		lease.withObjectProperty("spec");
		change.accept(lease);
		if (before == null) {
			stamp(lease);
		}
		store(key, before, lease);
	}

	/**
	 * Deletes a Lease and makes it anew, alike in all but its uid; also its version, as
	 * may be in a cluster that was restored.
	 */
	synchronized void makeAnew(String name) {
		ApiObjects.metadata(this.objects.get(key(NAMESPACE, "leases", name))).put("uid", UUID.randomUUID().toString());
	}

	synchronized int leases() {
		return this.objects.size();
	}

	synchronized void delete(String name) {
		remove(key(NAMESPACE, "leases", name));
	}

	/** Deletes the Leases whose names begin like this. */
	synchronized void deleteAll(String beginning) {
		String all = key(NAMESPACE, "leases", beginning);
		List.copyOf(this.objects.keySet()).stream().filter((key) -> key.startsWith(all)).forEach(this::remove);
	}

	private void remove(String key) {
		ObjectNode removed = this.objects.remove(key);
		if (removed != null) {
			ApiObjects.metadata(removed).put("resourceVersion", Long.toString(++this.version));
			this.watches.publish(new EmulatedWatches.Event(this.version, "DELETED", key, removed));
		}
	}

	/** Forgets the history, so that no watch can go on where it was. */
	synchronized void compact() {
		this.watches.compact(this.version);
	}

	/** Tells all watches that what they follow is no longer kept. */
	synchronized void expireWatches() {
		this.watches.expire(this.version);
	}

	int openWatches() {
		return this.watches.count();
	}

	@Override
	public synchronized MockResponse dispatch(RecordedRequest request) {
		URI uri = URI.create(request.getPath());
		Map<String, String> query = query(uri);
		boolean watch = "true".equals(query.get("watch"));
		this.counts.merge(watch ? "WATCH" : request.getMethod(), 1, Integer::sum);
		if (this.refusals > 0) {
			this.refusals--;
			return status(this.refusalCode, "InternalError", "as told");
		}
		Matcher path = PATH.matcher(uri.getPath());
		if (!path.matches()) {
			return status(404, "NotFound", "there is no " + uri.getPath());
		}
		String key = key(path.group(1), path.group(2), (path.group(3) != null) ? path.group(3) : "");
		if (watch) {
			return this.watches.open(key, query);
		}
		boolean writes = !"GET".equals(request.getMethod());
		if (writes && path.group(2).equals("leases")) {
			this.beforeNextWrite.accept(key);
		}
		MockResponse answer = answer(request, key, path.group(3) != null, query);
		return (writes && this.swallowing) ? answer.setBodyDelay(1, TimeUnit.HOURS) : answer;
	}

	private MockResponse answer(RecordedRequest request, String key, boolean single, Map<String, String> query) {
		return switch (request.getMethod()) {
			case "GET" -> single ? get(key) : list(key, query);
			case "POST" -> create(key, parse(request.getUtf8Body()));
			case "PUT" -> update(key, parse(request.getUtf8Body()));
			case "PATCH" -> patch(key, parse(request.getUtf8Body()));
			case "DELETE" -> {
				MockResponse found = get(key);
				remove(key);
				yield found;
			}
			default -> status(405, "MethodNotAllowed", request.getMethod());
		};
	}

	private MockResponse get(String key) {
		ObjectNode found = this.objects.get(key);
		return (found != null) ? answer(200, found) : status(404, "NotFound", key + " not found");
	}

	private MockResponse list(String key, Map<String, String> query) {
		ObjectNode list = this.json.createObjectNode()
			.put("apiVersion", "coordination.k8s.io/v1")
			.put("kind", "LeaseList");
		list.putObject("metadata").put("resourceVersion", Long.toString(this.version));
		ArrayNode items = list.putArray("items");
		int limit = Integer.parseInt(query.getOrDefault("limit", "1000000"));
		this.objects.forEach((name, object) -> {
			if (name.startsWith(key) && ApiObjects.matches(object, query) && items.size() < limit) {
				items.add(object);
			}
		});
		return answer(200, list);
	}

	private MockResponse create(String collection, ObjectNode object) {
		String key = collection + ApiObjects.metadata(object).path("name").asText();
		Optional<String> invalid = ApiObjects.invalid(object);
		if (invalid.isPresent()) {
			return status(422, "Invalid", invalid.get());
		}
		if (this.objects.containsKey(key)) {
			return status(409, "AlreadyExists", key + " already exists");
		}
		ApiObjects.metadata(object).put("namespace", NAMESPACE);
		stamp(object);
		store(key, null, object);
		return answer(201, this.objects.get(key));
	}

	private MockResponse update(String key, ObjectNode object) {
		ObjectNode before = this.objects.get(key);
		if (before == null) {
			return status(404, "NotFound", key + " not found");
		}
		String resourceVersion = ApiObjects.metadata(object).path("resourceVersion").asText("");
		if (resourceVersion.isEmpty()) {
			return status(422, "Invalid", "metadata.resourceVersion: must be specified for an update");
		}
		String uid = ApiObjects.metadata(object).path("uid").asText("");
		if (!uid.isEmpty() && !uid.equals(ApiObjects.metadata(before).path("uid").asText())) {
			return status(409, "Conflict", "Precondition failed: UID in precondition: " + uid);
		}
		if (!resourceVersion.equals(ApiObjects.metadata(before).path("resourceVersion").asText())) {
			return status(409, "Conflict", "the object has been modified");
		}
		Optional<String> invalid = ApiObjects.invalid(object);
		if (invalid.isPresent()) {
			return status(422, "Invalid", invalid.get());
		}
		store(key, before, object);
		return answer(200, this.objects.get(key));
	}

	private MockResponse patch(String key, ObjectNode patch) {
		ObjectNode before = this.objects.get(key);
		if (before == null) {
			return status(404, "NotFound", key + " not found");
		}
		ObjectNode object = before.deepCopy();
		ApiObjects.merge(object, patch);
		Optional<String> invalid = ApiObjects.invalid(object);
		if (invalid.isPresent()) {
			return status(422, "Invalid", invalid.get());
		}
		store(key, before, object);
		return answer(200, this.objects.get(key));
	}

	private void stamp(ObjectNode object) {
		ApiObjects.metadata(object)
			.put("uid", UUID.randomUUID().toString())
			.put("resourceVersion", Long.toString(++this.version))
			.put("creationTimestamp", Instant.EPOCH.toString());
	}

	/** One that changes nothing has no new version, and nobody is told. */
	private void store(String key, ObjectNode before, ObjectNode object) {
		if (before != null) {
			if (before.equals(object)) {
				return;
			}
			ApiObjects.metadata(object).put("resourceVersion", Long.toString(++this.version));
		}
		this.objects.put(key, object);
		this.watches
			.publish(new EmulatedWatches.Event(this.version, (before != null) ? "MODIFIED" : "ADDED", key, object));
	}

	private MockResponse status(int code, String reason, String message) {
		return answer(code, ApiObjects.status(code, reason, message));
	}

	private static MockResponse answer(int code, ObjectNode body) {
		return new MockResponse().setResponseCode(code)
			.setHeader("Content-Type", "application/json")
			.setBody(body.toString());
	}

	private ObjectNode parse(String body) {
		try {
			return (ObjectNode) this.json.readTree(body);
		}
		catch (JsonProcessingException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String key(String namespace, String plural, String name) {
		return "%s/%s/%s".formatted(namespace, plural, name);
	}

	private static Map<String, String> query(URI uri) {
		Map<String, String> query = new LinkedHashMap<>();
		if (uri.getRawQuery() != null) {
			for (String part : uri.getRawQuery().split("&")) {
				String[] pair = part.split("=", 2);
				query.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
			}
		}
		return query;
	}

	@Override
	public void close() {
		try {
			this.http.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.watches.close();
	}

}
