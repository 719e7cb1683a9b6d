package io.leaderelection.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * The page with every property, made from the metadata. What stands below a map, such as
 * that of the elections, is not in the metadata: it is read where the metadata comes
 * from, the comments in the source.
 */
final class ConfigurationPage {

	private static final String ROOT = LeaderElectionProperties.PREFIX;

	private static final Pattern MAP = Pattern.compile("java\\.util\\.Map<java\\.lang\\.String,(?<type>.+\\$.+)>");

	private static final Pattern FIELD = Pattern.compile(
			"/\\*\\*(?<comment>.*?)\\*/\\s+private (?!static|final)(?:@Nullable )?(?<type>[\\w<>, ]+) (?<name>\\w+)(?: = (?<value>[^;]+))?;",
			Pattern.DOTALL);

	/** Where the page of a section is not called like it. */
	private static final Map<String, String> PAGES = Map.of("management", "actuator", "web", "http");

	private final ConfigurationMetadata metadata = new ConfigurationMetadata();

	private final Path docs;

	private final Path repository;

	ConfigurationPage(Path repository) {
		this.docs = repository.resolve("docs");
		this.repository = repository;
	}

	Path file() {
		return this.docs.resolve("configuration.md");
	}

	String text() {
		StringBuilder page = new StringBuilder(
				"""
						# All properties

						Made from the metadata that your editor completes them by. Durations are written `500ms`, `10s`, `5m`; a number without a unit is read as milliseconds. A property below `leader-election` that is not on this page fails the start, unless it comes from the environment (`LEADER_ELECTION_…`) or with `-D`, or belongs to a group that is not on this page either.
						""");
		sections().forEach((section, rows) -> page.append("\n## `")
			.append(section)
			.append("`\n\n")
			.append(intro(section))
			.append("| property | values | default | |\n|---|---|---|---|\n")
			.append(rows.stream().map(Row::toString).collect(Collectors.joining())));
		return page.toString();
	}

	private Map<String, List<Row>> sections() {
		Map<String, List<Row>> sections = new TreeMap<>(
				Comparator.comparing((String section) -> !section.startsWith(ROOT))
					.thenComparing((section) -> section));
		for (Map<String, Object> property : this.metadata.properties()) {
			Row row = row(property);
			sections.computeIfAbsent(section(row.name()), (section) -> new ArrayList<>()).add(row);
			Matcher map = MAP.matcher((String) property.get("type"));
			if (map.matches()) {
				sections.put(row.name() + ".<name>", rowsBelow(row.name(), map.group("type")));
			}
		}
		sections.values().forEach((rows) -> rows.sort(Comparator.comparing(Row::name)));
		return sections;
	}

	/** All of one technology together, and what has none of its own with the root. */
	private static String section(String name) {
		String[] parts = name.split("\\.");
		return name.startsWith(ROOT + ".") ? (parts.length > 2) ? ROOT + "." + parts[1] : ROOT : parts[0];
	}

	private String intro(String section) {
		String name = section.substring(section.lastIndexOf('.') + 1);
		String page = PAGES.getOrDefault(name, name) + ".md";
		return Files.exists(this.docs.resolve(page)) ? "See [%s](%s).\n\n".formatted(page, page) : "";
	}

	private Row row(Map<String, Object> property) {
		String name = (String) property.get("name");
		Class<?> type = rawType((String) property.get("type"));
		Object value = property.get("defaultValue");
		return new Row(name, name.equals(BackendChoice.PROPERTY) ? backends() : values(type),
				(value != null) ? text(value, type) : "", (String) property.get("description"));
	}

	private static String backends() {
		return Stream
			.concat(BackendChoice.load(null).stream().map(LeaderElectionBackend::name), Stream.of(BackendChoice.LOCAL))
			.sorted()
			.map("`%s`"::formatted)
			.collect(Collectors.joining(", "));
	}

	private List<Row> rowsBelow(String property, String typeName) {
		Class<?> type = rawType(typeName);
		String source = source(type);
		String body = source.substring(source.indexOf("class " + type.getSimpleName() + " {"));
		List<Row> rows = new ArrayList<>();
		for (Matcher field = FIELD.matcher(body); field.find();) {
			String name = property + ".<name>."
					+ ConfigurationPropertyName.adapt(dashed(field.group("name")), '.').toString();
			Class<?> fieldType = ResolvableType.forField(field(type, field.group("name"))).toClass();
			String comment = field.group("comment").replaceAll("\\s*\\n\\s*\\*?\\s*", " ").strip();
			rows.add(new Row(name, values(fieldType), Optional.ofNullable(field.group("value")).orElse(""), comment));
		}
		return rows;
	}

	private static Field field(Class<?> type, String name) {
		try {
			return type.getDeclaredField(name);
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String source(Class<?> type) {
		String file = "src/main/java/%s.java".formatted(type.getName().replaceFirst("\\$.*", "").replace('.', '/'));
		String backend = type.getPackageName().replaceFirst(".*\\.", "");
		Path module = this.repository.resolve("backends").resolve(backend);
		try {
			return Files.readString((Files.exists(module) ? module
					: this.repository.resolve("leader-election-spring-boot-autoconfigure"))
				.resolve(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Class<?> rawType(String name) {
		return ClassUtils.resolveClassName(name.replaceFirst("<.*", ""), ConfigurationPage.class.getClassLoader());
	}

	private static String values(Class<?> type) {
		if (type.isEnum()) {
			return Stream.of(type.getEnumConstants())
				.map((constant) -> "`%s`".formatted(dashed(constant.toString().toLowerCase(Locale.ROOT))))
				.collect(Collectors.joining(", "));
		}
		return switch (ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName()) {
			case "Boolean" -> "`true`, `false`";
			case "Double", "Integer", "Long" -> "number";
			case "Duration" -> "duration";
			case "List" -> "list";
			case "Map" -> "by name";
			default -> "text";
		};
	}

	private static String text(Object value, Class<?> type) {
		String text = type.isEnum() ? dashed(value.toString()) : value.toString();
		return "`%s`".formatted(text.matches("0(ms)?") && values(type).equals("duration") ? "0s" : text);
	}

	private static String dashed(String name) {
		return name.replace('_', '-').replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
	}

	private record Row(String name, String values, String defaultValue, String description) {

		@Override
		public String toString() {
			return "| `%s` | %s | %s | %s |\n".formatted(this.name, this.values, this.defaultValue,
					this.description.replace("|", "\\|"));
		}

	}

}
