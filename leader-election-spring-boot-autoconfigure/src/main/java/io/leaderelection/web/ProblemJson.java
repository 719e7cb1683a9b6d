package io.leaderelection.web;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonWriter;
import org.springframework.http.ProblemDetail;

/**
 * Writes problem documents without the JSON library of the application, which may be any,
 * or none.
 */
final class ProblemJson {

	private static final JsonWriter<ProblemDetail> WRITER = JsonWriter.of((members) -> {
		members.add("type", (problem) -> Objects.toString(problem.getType()));
		members.add("title", ProblemDetail::getTitle).whenNotNull();
		members.add("status", ProblemDetail::getStatus);
		members.add("detail", ProblemDetail::getDetail).whenNotNull();
		members.addMapEntries(ProblemJson::properties);
	});

	private ProblemJson() {
	}

	static byte[] write(ProblemDetail problem) {
		return WRITER.writeToString(problem).getBytes(StandardCharsets.UTF_8);
	}

	private static Map<String, @Nullable Object> properties(ProblemDetail problem) {
		Map<String, @Nullable Object> properties = problem.getProperties();
		return (properties != null) ? properties : Map.of();
	}

}
