package io.leaderelection.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.springframework.boot.json.JsonParserFactory;

/**
 * The metadata of the properties of all modules, as editors read them.
 */
final class ConfigurationMetadata {

	private final List<Map<String, Object>> modules = Stream
		.concat(Stream.of(LeaderElectionProperties.class),
				BackendChoice.load(getClass().getClassLoader()).stream().map(Object::getClass))
		.map(ConfigurationMetadata::read)
		.toList();

	List<Map<String, Object>> properties() {
		return list("properties");
	}

	List<Map<String, Object>> hints() {
		return list("hints");
	}

	@SuppressWarnings("unchecked")
	private List<Map<String, Object>> list(String name) {
		return this.modules.stream()
			.flatMap((metadata) -> ((List<Map<String, Object>>) metadata.getOrDefault(name, List.of())).stream())
			.toList();
	}

	/** Other libraries have files of the same name. */
	private static Map<String, Object> read(Class<?> type) {
		URL module = type.getProtectionDomain().getCodeSource().getLocation();
		try (URLClassLoader own = new URLClassLoader(new URL[] { module }, null);
				InputStream json = Objects.requireNonNull(own.getResourceAsStream(UnknownProperties.METADATA))) {
			return JsonParserFactory.getJsonParser().parseMap(new String(json.readAllBytes(), StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
