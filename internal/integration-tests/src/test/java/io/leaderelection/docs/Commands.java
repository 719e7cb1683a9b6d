package io.leaderelection.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.yaml.snakeyaml.Yaml;

import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParserFactory;

/**
 * Whether a command of the documentation names what there is: files, modules, profiles,
 * options, classes, properties. To run all of them would take hours.
 */
final class Commands {

	/** A word, or what stands in quotation marks. */
	private static final Pattern WORD = Pattern.compile("(?:[^\\s'\"<]+|'[^']*'|\"[^\"]*\"|<[^>]*>)+");

	private static final Set<String> PHASES = Set.of("test", "package", "verify", "install", "clean",
			"spring-javaformat:apply");

	private static final Set<String> FLAGS = Set.of("-B", "-am", "-DskipTests", "-Dpublished", "-ntp", "-q");

	private final Path repository;

	private final String build;

	private final Set<String> classes;

	private final String sources;

	Commands(Path repository) {
		this.repository = repository;
		this.build = read(files((file) -> file.getFileName().toString().equals("pom.xml")));
		List<Path> java = files((file) -> file.getFileName().toString().endsWith(".java"));
		this.classes = Set.copyOf(
				java.stream().map((file) -> file.getFileName().toString().replace(".java", "")).distinct().toList());
		this.sources = read(java);
	}

	private List<Path> files(Predicate<Path> wanted) {
		try (Stream<Path> files = Files.walk(this.repository)) {
			return files.filter(wanted).filter((file) -> !file.toString().contains("/target/")).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(List<Path> files) {
		StringBuilder text = new StringBuilder();
		files.forEach((file) -> text.append(read(file)));
		return text.toString();
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	boolean hasClass(String name) {
		return this.classes.contains(name);
	}

	/** What is wrong with a command; nothing if it is right. */
	List<String> problems(String command) {
		List<String> words = new ArrayList<>(
				WORD.matcher(command).results().map((word) -> word.group().replaceAll("['\"]", "")).toList());
		words.removeIf((word) -> word.matches("[A-Z_]+=.*"));
		List<String> problems = new ArrayList<>();
		String program = words.remove(0);
		switch (program) {
			case "mvn" -> words.forEach((word) -> maven(word, words, problems));
			case "java" -> words.forEach((word) -> java(word, problems));
			case "gradle" -> check(words.equals(List.of("build")), "gradle " + words, problems);
			case "docker" -> docker(words, problems);
			case "curl" -> curl(command, problems);
			case "promtool" -> words.stream()
				.filter((word) -> word.endsWith(".yml"))
				.forEach((file) -> check(exists("docs/monitoring/" + file), file, problems));
			default -> script(program, words, problems);
		}
		return problems;
	}

	private void maven(String word, List<String> words, List<String> problems) {
		Matcher property = Pattern.compile("-D([\\w.-]+)=(.*)").matcher(word);
		if (words.indexOf("-pl") >= 0 && words.indexOf(word) == words.indexOf("-pl") + 1) {
			Arrays.stream(word.split(",")).forEach((module) -> check(exists(module + "/pom.xml"), module, problems));
		}
		else if (word.startsWith("-P")) {
			check(this.build.contains("<id>%s</id>".formatted(word.substring(2))), word, problems);
		}
		else if (property.matches()) {
			mavenProperty(property.group(1), property.group(2), problems);
		}
		else {
			check(PHASES.contains(word) || FLAGS.contains(word) || word.equals("-pl"), word, problems);
		}
	}

	private void mavenProperty(String name, String value, List<String> problems) {
		if (name.equals("test")) {
			String pattern = value.replaceAll("#.*", "").replace("*", ".*");
			check(this.classes.stream().anyMatch((type) -> type.matches(pattern)), value, problems);
			String method = value.contains("#") ? value.replaceAll(".*#", "").replace("*", "") : "";
			check(this.sources.contains("void " + method), value, problems);
		}
		else if (!name.equals("surefire.failIfNoSpecifiedTests")) {
			check(this.sources.contains("\"%s\"".formatted(name)) || this.build.contains("<%s>".formatted(name))
					|| this.build.contains("${%s}".formatted(name)), name, problems);
		}
	}

	private void java(String word, List<String> problems) {
		if (word.endsWith(".jar")) {
			String module = word.replaceFirst("/target/[^/]*$", "");
			String name = module.substring(module.lastIndexOf('/') + 1);
			check(word.equals("%s/target/%s.jar".formatted(module, name)) && exists(module + "/pom.xml"), word,
					problems);
		}
		else if (word.startsWith("io.leaderelection.") || word.matches("\\w+Benchmark(\\|\\w+Benchmark)*")) {
			Arrays.stream(word.split("\\|"))
				.forEach((type) -> check(hasClass(type.substring(type.lastIndexOf('.') + 1)), type, problems));
		}
	}

	private void docker(List<String> words, List<String> problems) {
		check(words.get(0).equals("compose") && words.get(1).equals("--profile"), "docker " + words, problems);
		Map<String, Map<String, Map<String, Object>>> file = new Yaml()
			.load(read(this.repository.resolve("docker-compose.yml")));
		check(file.get("services")
			.values()
			.stream()
			.anyMatch((service) -> service.get("profiles") instanceof List<?> profiles
					&& (words.get(2).equals("*") || profiles.contains(words.get(2)))),
				"the profile " + words.get(2), problems);
	}

	private void curl(String command, List<String> problems) {
		check(command.matches(".* localhost:\\d+/actuator/leader(/\\w+)?( .*|$)"), "the address", problems);
		Matcher body = Pattern.compile("-d '(.*)'").matcher(command);
		if (body.find()) {
			try {
				Object action = JsonParserFactory.getJsonParser().parseMap(body.group(1)).get("action");
				check(read(this.repository.resolve("docs/actuator.md"))
					.contains("{\"action\": \"%s\"".formatted(action)), "the action " + action, problems);
			}
			catch (JsonParseException ex) {
				problems.add("the body " + ex.getMessage());
			}
		}
	}

	private void script(String program, List<String> words, List<String> problems) {
		check(Files.isExecutable(this.repository.resolve(program)), program, problems);
		words.forEach((word) -> check(read(this.repository.resolve(program)).contains(word), word, problems));
	}

	private boolean exists(String file) {
		return Files.exists(this.repository.resolve(file));
	}

	private static void check(boolean right, String what, List<String> problems) {
		if (!right) {
			problems.add("There is no " + what);
		}
	}

}
