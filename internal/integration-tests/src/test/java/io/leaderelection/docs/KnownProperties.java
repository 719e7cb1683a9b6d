package io.leaderelection.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonParserFactory;

/**
 * The properties that this project, Spring Boot and others on the class path have, as
 * their metadata say.
 */
final class KnownProperties {

	private final Set<String> names = new TreeSet<>();

	private final Set<String> maps = new TreeSet<>();

	private final Map<String, String> groups = new TreeMap<>();

	private final Set<Object> backends = new HashSet<>();

	KnownProperties() {
		try {
			for (URL file : Collections
				.list(getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
				read(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@SuppressWarnings("unchecked")
	private void read(URL file) throws IOException {
		try (InputStream json = file.openStream()) {
			Map<String, Object> metadata = JsonParserFactory.getJsonParser()
				.parseMap(new String(json.readAllBytes(), StandardCharsets.UTF_8));
			for (Map<String, Object> group : (List<Map<String, Object>>) metadata.getOrDefault("groups", List.of())) {
				String name = (String) group.get("name");
				if (name.startsWith("leader-election") && !group.containsKey("sourceMethod")) {
					this.groups.put(name, (String) group.get("type"));
				}
			}
			for (Map<String, Object> hint : (List<Map<String, Object>>) metadata.getOrDefault("hints", List.of())) {
				if (hint.get("name").equals("leader-election.backend")) {
					((List<Map<String, Object>>) hint.get("values"))
						.forEach((it) -> this.backends.add(it.get("value")));
				}
			}
			for (Map<String, Object> property : (List<Map<String, Object>>) metadata.getOrDefault("properties",
					List.of())) {
				String name = (String) property.get("name");
				if (!isGoneBefore((Map<String, Object>) property.get("deprecation"))) {
					this.names.add(name);
				}
				if (String.valueOf(property.get("type")).startsWith("java.util.Map<")) {
					this.maps.add(name);
				}
			}
		}
	}

	/** What a later Spring Boot has dropped is there in the one of the documentation. */
	private static boolean isGoneBefore(@Nullable Map<String, Object> deprecation) {
		return deprecation != null && String.valueOf(deprecation.get("since")).compareTo("4.1") < 0;
	}

	/**
	 * The classes of this project that properties are bound to, by what their names begin
	 * with.
	 */
	Map<String, String> groups() {
		return this.groups;
	}

	/** The values of {@code leader-election.backend}. */
	Set<Object> backends() {
		return this.backends;
	}

	/** Whether there is one of this name, or a map that it is an entry of. */
	boolean include(String name) {
		String plain = name.replaceAll("\\[\\d+]", "");
		return this.names.contains(plain)
				|| this.maps.stream().anyMatch((map) -> plain.startsWith(map + ".") || plain.equals(map));
	}

	/** Whether there are any whose names begin like this. */
	boolean includeBelow(String prefix) {
		return this.names.stream().anyMatch((name) -> name.startsWith(prefix + "."));
	}

}
