package io.leaderelection.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Gradle build, read as text. It must therefore keep to one dependency a line; a line
 * that cannot be read is an offence, so that nothing passes unseen.
 */
final class GradleBuild implements Build {

	private static final Map<String, String> SCOPES = Map.of("api", "compile", "implementation", "compile",
			"compileOnly", "provided", "runtimeOnly", "runtime", "testImplementation", "test", "testRuntimeOnly",
			"test", "annotationProcessor", "processor");

	private static final Pattern MODULE = Pattern.compile("^module\\(\"([^\"]+)\"(?:, \"([^\"]+)\")?\\)$",
			Pattern.MULTILINE);

	private static final Pattern DEPENDENCIES = Pattern.compile("^(\\t*)dependencies \\{\\R(.*?)^\\1}",
			Pattern.MULTILINE | Pattern.DOTALL);

	private static final Pattern PROPERTY = Pattern.compile("\\bproperty\\(\"([^\"]+)\"\\)");

	private static final Pattern DEPENDENCY = Pattern
		.compile("\"?(?<scope>\\w+)\"?\\((?:project\\(\":(?<project>[^\"]+)\"\\)|\"(?<name>[^:\"]+:[^:\"]+)(?::\\$\\{"
				+ PROPERTY + "})?\")\\)");

	private static final Pattern LITERAL_VERSION = Pattern.compile("\\d\\.\\d|:\\d|VERSION_\\d|\\b\\d{2,}\\b");

	private static final Pattern MODULE_NAME = Pattern.compile("\"Automatic-Module-Name\" to \"([^\"]+)\"");

	/**
	 * What Gradle alone needs: the BOM, and the launcher that Surefire brings by itself.
	 */
	private static final Pattern GRADLE_ONLY = Pattern
		.compile("\"?\\w+\"?\\(platform\\(.*|\"?\\w+\"?\\(\"org.junit.platform:junit-platform-launcher\"\\)");

	private final String settings;

	private final Map<String, String> scripts = new LinkedHashMap<>();

	GradleBuild(Path root) {
		this.settings = read(root.resolve("settings.gradle.kts"));
		this.scripts.put(ROOT, read(root.resolve("build.gradle.kts")));
		modules().forEach((module) -> this.scripts.put(module,
				read(root.resolve(directory(module)).resolve("build.gradle.kts"))));
	}

	@Override
	public String name() {
		return "Gradle";
	}

	@Override
	public Set<String> modules() {
		return new LinkedHashSet<>(MODULE.matcher(this.settings).results().map((it) -> it.group(1)).toList());
	}

	@Override
	public String directory(String module) {
		return MODULE.matcher(this.settings)
			.results()
			.filter((it) -> it.group(1).equals(module))
			.map((it) -> Optional.ofNullable(it.group(2)).orElse(module))
			.findFirst()
			.orElse(module);
	}

	@Override
	public Set<Dependency> dependencies(String module) {
		Set<Dependency> dependencies = new LinkedHashSet<>();
		dependencyLines(this.scripts.get(module)).forEach((line) -> dependency(line).ifPresent(dependencies::add));
		return dependencies;
	}

	@Override
	public Optional<String> moduleName(String module) {
		return MODULE_NAME.matcher(this.scripts.get(module)).results().map((it) -> it.group(1)).findFirst();
	}

	@Override
	public List<String> offences() {
		List<String> offences = new ArrayList<>();
		offences.addAll(literalVersions("settings.gradle.kts", this.settings));
		this.scripts.forEach((module, script) -> {
			String file = directory(module) + "/build.gradle.kts";
			offences.addAll(literalVersions(file, script));
			dependencyLines(script).filter((line) -> dependency(line).isEmpty())
				.forEach((line) -> offences.add(file + " has a dependency that cannot be compared: " + line));
		});
		return offences;
	}

	/**
	 * The properties of the parent pom that the scripts ask for.
	 */
	Set<String> propertiesRead() {
		Set<String> properties = new LinkedHashSet<>();
		this.scripts.values()
			.forEach((script) -> PROPERTY.matcher(script).results().map((it) -> it.group(1)).forEach(properties::add));
		return properties;
	}

	private static List<String> literalVersions(String file, String script) {
		return script.lines()
			.filter((line) -> LITERAL_VERSION.matcher(line).find())
			.map((line) -> file + " writes a version: " + line.trim() + ": read it from the properties of pom.xml")
			.toList();
	}

	private static Stream<String> dependencyLines(String script) {
		return DEPENDENCIES.matcher(script)
			.results()
			.map((block) -> block.group(2))
			.flatMap(String::lines)
			.map(String::trim)
			.filter((line) -> !line.isEmpty() && !line.startsWith("//"))
			.filter((line) -> !GRADLE_ONLY.matcher(line).matches());
	}

	private static Optional<Dependency> dependency(String line) {
		Matcher matcher = DEPENDENCY.matcher(line);
		if (!matcher.matches() || !SCOPES.containsKey(matcher.group("scope"))) {
			return Optional.empty();
		}
		String project = matcher.group("project");
		String name = (project != null) ? OWN_GROUP + ":" + project : matcher.group("name");
		String version = Optional.ofNullable(matcher.group(4)).orElse("");
		return Optional.of(new Dependency(SCOPES.get(matcher.group("scope")), name, version));
	}

	private static String read(Path file) {
		try {
			return Files.exists(file) ? Files.readString(file) : "";
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + file, ex);
		}
	}

}
