package io.leaderelection.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.core.io.UrlResource;

/**
 * Rejects properties that do not exist, which Spring Boot ignores: a misspelt lease would
 * be the default one, and a misspelt key prefix another election. The generated
 * configuration metadata contains those that exist. Environment variables and JVM
 * properties are not checked, nor are groups without metadata, which a store of the
 * application may have.
 */
final class UnknownProperties {

	static final String METADATA = "META-INF/spring-configuration-metadata.json";

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName
		.of(LeaderElectionProperties.PREFIX);

	/** Those that have anything below them: maps and lists. */
	private final Set<ConfigurationPropertyName> collections = new HashSet<>();

	/** All others. */
	private final Set<ConfigurationPropertyName> single = new HashSet<>();

	private UnknownProperties() {
		try {
			for (URL metadata : Collections.list(getClass().getClassLoader().getResources(METADATA))) {
				// BasicJsonParser, the only parser without Jackson and Gson, accepts no
				// line breaks between elements
				String json = new UrlResource(metadata).getContentAsString(StandardCharsets.UTF_8)
					.lines()
					.map(String::strip)
					.collect(Collectors.joining());
				if (json.contains('"' + LeaderElectionProperties.PREFIX + '.')) {
					read(JsonParserFactory.getJsonParser().parseMap(json));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The configuration metadata cannot be read", ex);
		}
	}

	private void read(Map<String, Object> metadata) {
		for (Object property : (List<?>) metadata.getOrDefault("properties", List.of())) {
			Map<?, ?> attributes = (Map<?, ?>) property;
			ConfigurationPropertyName name = ConfigurationPropertyName.of((String) attributes.get("name"));
			if (PREFIX.isAncestorOf(name)) {
				boolean collection = String.valueOf(attributes.get("type")).startsWith("java.util.");
				(collection ? this.collections : this.single).add(name);
			}
		}
	}

	/**
	 * Looks at the properties of an application.
	 * @param environment where they are
	 * @throws ConfigurationProblemException if there is one that does not exist
	 */
	static void refuse(Environment environment) {
		UnknownProperties properties = new UnknownProperties();
		if (properties.single.isEmpty()) {
			// a repackaged jar may lack the metadata
			return;
		}
		UnboundElementsSourceFilter written = new UnboundElementsSourceFilter();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable && written.apply(source)) {
				properties.refuse(iterable);
			}
		}
	}

	private void refuse(IterableConfigurationPropertySource source) {
		for (ConfigurationPropertyName name : source) {
			if (PREFIX.isAncestorOf(name) && !isKnown(name) && !isForeign(name)) {
				ConfigurationProperty property = source.getConfigurationProperty(name);
				if (property != null && !isEmptyGroup(property)) {
					throw unknown(property);
				}
			}
		}
	}

	/** Without the value, which may be a password under a misspelt name. */
	private ConfigurationProblemException unknown(ConfigurationProperty property) {
		ConfigurationPropertyName group = groupOf(property.getName());
		Origin origin = property.getOrigin();
		return new ConfigurationProblemException(
				"%s is set%s, but there is no such property.".formatted(property.getName(),
						(origin != null) ? " (%s)".formatted(origin) : ""),
				"Correct its name, or remove it. Below %s there are: %s.".formatted(group,
						String.join(", ", membersOf(group))));
	}

	private boolean isKnown(ConfigurationPropertyName name) {
		if (this.single.contains(name) || this.collections.contains(name)) {
			return true;
		}
		for (ConfigurationPropertyName collection : this.collections) {
			if (collection.isAncestorOf(name)) {
				return true;
			}
		}
		return false;
	}

	private boolean isForeign(ConfigurationPropertyName name) {
		ConfigurationPropertyName first = name.chop(PREFIX.getNumberOfElements() + 1);
		return !first.equals(name) && !this.single.contains(first) && !isGroup(first);
	}

	/** What is left in YAML of a group whose members are commented out. */
	private boolean isEmptyGroup(ConfigurationProperty property) {
		return "".equals(property.getValue()) && isGroup(property.getName());
	}

	private ConfigurationPropertyName groupOf(ConfigurationPropertyName name) {
		ConfigurationPropertyName group = name.getParent();
		while (!isGroup(group)) {
			group = group.getParent();
		}
		return group;
	}

	private boolean isGroup(ConfigurationPropertyName name) {
		return !membersOf(name).isEmpty();
	}

	private Set<String> membersOf(ConfigurationPropertyName group) {
		Set<String> members = new TreeSet<>();
		addMembers(group, this.single, members);
		addMembers(group, this.collections, members);
		return members;
	}

	private static void addMembers(ConfigurationPropertyName group, Set<ConfigurationPropertyName> names,
			Set<String> members) {
		for (ConfigurationPropertyName name : names) {
			if (group.isAncestorOf(name)) {
				members.add(name.getElement(group.getNumberOfElements(), ConfigurationPropertyName.Form.DASHED));
			}
		}
	}

}
