package io.leaderelection.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.springframework.boot.json.JsonParserFactory;

/**
 * The metadata of this module's properties, as editors read it.
 */
final class ConfigurationMetadata {

	private final Map<String, Object> metadata = read();

	List<Map<String, Object>> properties() {
		return list("properties");
	}

	List<Map<String, Object>> hints() {
		return list("hints");
	}

	@SuppressWarnings("unchecked")
	private List<Map<String, Object>> list(String name) {
		return (List<Map<String, Object>>) Objects.requireNonNull(this.metadata.get(name));
	}

	private static Map<String, Object> read() {
		// other modules have a file of the same name: the one beside this module's
		// classes
		String file = "META-INF/spring-configuration-metadata.json";
		try (InputStream json = LeaderElectionProperties.class.getProtectionDomain()
			.getCodeSource()
			.getLocation()
			.toURI()
			.resolve(file)
			.toURL()
			.openStream()) {
			return JsonParserFactory.getJsonParser().parseMap(new String(json.readAllBytes(), StandardCharsets.UTF_8));
		}
		catch (IOException | URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
