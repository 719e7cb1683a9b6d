package io.leaderelection.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Gradle build, read as text: the scripts, the convention plugins and the catalog. A
 * dependency that cannot be read is an offence, so that nothing passes unseen.
 */
final class GradleBuild implements Build {

	static final String CATALOG = "gradle/libs.versions.toml";

	static final String CONVENTIONS = "buildSrc/src/main/groovy";

	private static final String OF_ALL_MODULES = "java-module";

	private static final String OF_PUBLISHED_MODULES = "published-pom";

	private static final Map<String, String> SCOPES = Map.of("api", "compile", "implementation", "compile",
			"compileOnly", "provided", "runtimeOnly", "runtime", "testImplementation", "test", "testRuntimeOnly",
			"test", "annotationProcessor", "processor", "dependencyManagement", "import");

	private static final Pattern MODULE = Pattern.compile("^module\\(\"([^\"]+)\"(?:, \"([^\"]+)\")?\\)$",
			Pattern.MULTILINE);

	private static final Pattern PLUGIN = Pattern.compile("^\tid ?\\(?[\"']([\\w-]+)", Pattern.MULTILINE);

	private static final Pattern DEPENDENCIES = Pattern.compile("^dependencies \\{\\R(.*?)^}",
			Pattern.MULTILINE | Pattern.DOTALL);

	private static final Pattern DEPENDENCY = Pattern.compile("(?<scope>\\w+)\\("
			+ "(?:project\\(\":(?<project>[^\"]+)\"\\)|libs\\.(?<alias>[\\w.]+)|\"(?<name>[^:\"]+:[^:\"]+)\""
			+ "|enforcedPlatform\\(\"(?<bom>[^:\"]+:[^:\"]+):\\$\\{managed\\('(?<version>[^']+)'\\)}\"\\))\\)(?: \\{)?");

	private static final Pattern EXCLUSION = Pattern
		.compile("exclude\\(group = \"([^\"]+)\"(?:, module = \"([^\"]+)\")?\\)");

	private static final Pattern CATALOG_VERSION = Pattern.compile("^([\\w-]+) = \"([^\"]+)\"$", Pattern.MULTILINE);

	private static final Pattern CATALOG_LIBRARY = Pattern
		.compile("^([\\w-]+) = \\{ module = \"([^\"]+)\", version\\.ref = \"([^\"]+)\" }$", Pattern.MULTILINE);

	private static final Pattern LITERAL_VERSION = Pattern
		.compile("(?<!Apache-)\\d\\.\\d|:\\d|VERSION_\\d|\\b\\d{2,}\\b");

	private static final Pattern MODULE_NAME = Pattern.compile("\"Automatic-Module-Name\" to \"([^\"]+)\"");

	private static final Pattern DESCRIPTION = Pattern.compile("^description = \"([^\"]+)\"$", Pattern.MULTILINE);

	/**
	 * What Surefire brings by itself.
	 */
	private static final String LAUNCHER = "testRuntimeOnly(\"org.junit.platform:junit-platform-launcher\")";

	private final String settings;

	private final String catalog;

	private final Map<String, String> properties;

	private final Map<String, String> scripts = new LinkedHashMap<>();

	private final Map<String, String> conventions = new LinkedHashMap<>();

	GradleBuild(Path root) {
		this.settings = read(root.resolve("settings.gradle.kts"));
		this.catalog = read(root.resolve(CATALOG));
		this.properties = read(root.resolve("gradle.properties")).lines()
			.map((line) -> line.split(" = ", 2))
			.collect(Collectors.toMap((line) -> line[0], (line) -> line[1]));
		this.scripts.put(ROOT, read(root.resolve("build.gradle.kts")));
		modules().forEach((module) -> this.scripts.put(module,
				read(root.resolve(directory(module)).resolve("build.gradle.kts"))));
		try (Stream<Path> files = Files.list(root.resolve(CONVENTIONS))) {
			files.forEach((file) -> this.conventions.put(file.getFileName().toString().replaceFirst("\\.gradle$", ""),
					read(file)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
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
		if (module.equals(ROOT)) {
			return dependenciesIn(this.conventions.get(OF_ALL_MODULES), (it) -> {
			}).filter((it) -> it.scope().equals("import")).collect(Collectors.toSet());
		}
		return Stream.concat(Stream.of(this.scripts.get(module)), conventionsOf(module).map(this.conventions::get))
			.flatMap((script) -> dependenciesIn(script, (it) -> {
			}))
			.filter((it) -> !it.scope().equals("import"))
			.collect(Collectors.toSet());
	}

	/** The convention plugins of a module, and those that they apply themselves. */
	private Stream<String> conventionsOf(String module) {
		Set<String> found = new LinkedHashSet<>();
		Deque<String> scripts = new ArrayDeque<>(List.of(this.scripts.get(module)));
		while (!scripts.isEmpty()) {
			PLUGIN.matcher(scripts.pop())
				.results()
				.map((it) -> it.group(1))
				.filter(found::add)
				.forEach((plugin) -> scripts.push(this.conventions.getOrDefault(plugin, "")));
		}
		return found.stream().filter(this.conventions::containsKey);
	}

	private Stream<Dependency> dependenciesIn(String script, Consumer<String> unreadable) {
		return DEPENDENCIES.matcher(script).results().flatMap((block) -> {
			List<Dependency> found = new ArrayList<>();
			boolean managed = false;
			for (String line : block.group(1).lines().map(String::trim).toList()) {
				Matcher exclusion = EXCLUSION.matcher(line);
				Optional<Dependency> dependency = dependency(line, managed);
				if (line.equals("constraints {")) {
					managed = true;
				}
				else if (dependency.isPresent()) {
					found.add(dependency.get());
				}
				else if (exclusion.matches() && !found.isEmpty()) {
					found.get(found.size() - 1)
						.exclusions()
						.add(exclusion.group(1) + ":" + Optional.ofNullable(exclusion.group(2)).orElse("*"));
				}
				else if (!line.isEmpty() && !line.equals("}") && !line.startsWith("//") && !line.equals(LAUNCHER)) {
					unreadable.accept(line);
				}
			}
			return found.stream();
		});
	}

	private Optional<Dependency> dependency(String line, boolean managed) {
		Matcher matcher = DEPENDENCY.matcher(line);
		if (!matcher.matches() || !SCOPES.containsKey(matcher.group("scope")) || line.equals(LAUNCHER)) {
			return Optional.empty();
		}
		String scope = managed ? "managed" : SCOPES.get(matcher.group("scope"));
		if (matcher.group("alias") != null) {
			return library(matcher.group("alias").replace('.', '-'))
				.map((it) -> dependency(scope, it.group(2), it.group(3) + ".version"));
		}
		if (matcher.group("bom") != null) {
			return Optional.of(dependency(scope, matcher.group("bom"), matcher.group("version") + ".version"));
		}
		String project = matcher.group("project");
		return Optional
			.of(dependency(scope, (project != null) ? OWN_GROUP + ":" + project : matcher.group("name"), ""));
	}

	private static Dependency dependency(String scope, String name, String version) {
		return new Dependency(scope, name, version, new LinkedHashSet<>());
	}

	private Optional<MatchResult> library(String alias) {
		return CATALOG_LIBRARY.matcher(this.catalog).results().filter((it) -> it.group(1).equals(alias)).findFirst();
	}

	@Override
	public Optional<String> moduleName(String module) {
		return MODULE_NAME.matcher(this.scripts.get(module)).results().map((it) -> it.group(1)).findFirst();
	}

	/**
	 * The elements of a POM have the same names in Gradle.
	 */
	@Override
	public Set<String> publication(String module) {
		Set<String> publication = new LinkedHashSet<>();
		if (!module.equals(ROOT) && conventionsOf(module).anyMatch(OF_PUBLISHED_MODULES::equals)) {
			publication.add("groupId: " + this.properties.get("group"));
			publication.add("version: " + this.properties.get("version"));
			Deque<String> path = new ArrayDeque<>();
			String pom = this.conventions.get(OF_PUBLISHED_MODULES).split("\\bpom \\{")[1];
			for (String line : pom.lines().map(String::trim).skip(1).toList()) {
				if (line.endsWith(" {")) {
					path.addLast(line.replace(" {", "/"));
				}
				else if (line.equals("}") && path.isEmpty()) {
					break;
				}
				else if (line.equals("}")) {
					path.removeLast();
				}
				else {
					String[] parts = line.split(" = ", 2);
					publication.add(String.join("", path) + parts[0] + ": " + valueOf(parts[1], module));
				}
			}
		}
		return publication;
	}

	private String valueOf(String expression, String module) {
		return switch (expression) {
			case "project.name" -> module;
			case "provider { project.description }" ->
				DESCRIPTION.matcher(this.scripts.get(module)).results().map((it) -> it.group(1)).findFirst().orElse("");
			default -> expression.replaceAll("^'(.*)'$", "$1");
		};
	}

	@Override
	public Set<String> versions() {
		return CATALOG_VERSION.matcher(this.catalog)
			.results()
			.map((it) -> it.group(1) + ".version " + it.group(2))
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	@Override
	public List<String> offences() {
		List<String> offences = new ArrayList<>();
		Map<String, String> files = new LinkedHashMap<>();
		files.put("settings.gradle.kts", this.settings);
		this.scripts.forEach((module, script) -> files.put(directory(module) + "/build.gradle.kts", script));
		this.conventions.forEach((name, script) -> files.put(name + ".gradle", script));
		files.forEach((file, script) -> {
			script.lines()
				.filter((line) -> LITERAL_VERSION.matcher(line).find() && !line.contains("https://"))
				.forEach(
						(line) -> offences.add(file + " writes a version: " + line.trim() + ": move it to " + CATALOG));
			dependenciesIn(script, (line) -> offences.add(file + " has a dependency that cannot be compared: " + line))
				.toList();
		});
		return offences;
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
