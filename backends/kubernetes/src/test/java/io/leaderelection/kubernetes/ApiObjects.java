package io.leaderelection.kubernetes;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What an API server does with the JSON of an object.
 */
final class ApiObjects {

	private static final Pattern NAME = Pattern
		.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

	private static final Pattern LABEL_VALUE = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");

	private static final int MOST_ANNOTATIONS = 256 * 1024;

	private ApiObjects() {
	}

	static ObjectNode metadata(ObjectNode object) {
		return object.withObjectProperty("metadata");
	}

	static boolean matches(ObjectNode object, Map<String, String> query) {
		String selector = query.get("labelSelector");
		if (selector == null) {
			return true;
		}
		String[] label = selector.split("=", 2);
		return label[1].equals(metadata(object).path("labels").path(label[0]).asText(null));
	}

	static void merge(ObjectNode target, ObjectNode patch) {
		patch.properties().forEach((field) -> {
			if (field.getValue().isNull()) {
				target.remove(field.getKey());
			}
			else if (field.getValue() instanceof ObjectNode nested) {
				merge(target.withObjectProperty(field.getKey()), nested);
			}
			else {
				target.set(field.getKey(), field.getValue());
			}
		});
	}

	/** What validation of a real server says, as far as it concerns Leases. */
	static Optional<String> invalid(ObjectNode object) {
		ObjectNode metadata = metadata(object);
		String name = metadata.path("name").asText();
		if (name.length() > 253 || !NAME.matcher(name).matches()) {
			return Optional.of("metadata.name: " + name);
		}
		for (JsonNode label : metadata.path("labels")) {
			if (label.asText().length() > 63 || !LABEL_VALUE.matcher(label.asText()).matches()) {
				return Optional.of("metadata.labels: " + label.asText());
			}
		}
		if (metadata.path("annotations").toString().length() > MOST_ANNOTATIONS) {
			return Optional.of("metadata.annotations: Too long");
		}
		JsonNode spec = object.path("spec");
		if (spec.path("leaseDurationSeconds").asInt(1) <= 0 || spec.path("leaseTransitions").asInt(0) < 0) {
			return Optional.of("spec");
		}
		return Optional.empty();
	}

	static ObjectNode status(int code, String reason, String message) {
		return JsonNodeFactory.instance.objectNode()
			.put("apiVersion", "v1")
			.put("kind", "Status")
			.put("status", "Failure")
			.put("reason", reason)
			.put("message", message)
			.put("code", code);
	}

}
