package io.leaderelection.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The Maven build, read from its poms as they are written: no inheritance beyond the
 * parent's dependency management, no profiles.
 */
final class MavenBuild implements Build {

	private static final String BOM = "leader-election-bom";

	private static final Pattern LITERAL_VERSION = Pattern.compile("[\\[(]?\\d+(\\.\\d+)+.*");

	private final Map<String, Element> poms = new LinkedHashMap<>();

	private final Map<String, String> directories = new LinkedHashMap<>(Map.of(ROOT, ROOT));

	private final Map<String, Element> managed = new HashMap<>();

	MavenBuild(Path root) {
		this.poms.put(ROOT, parse(root.resolve("pom.xml")));
		Stream<Element> modules = Stream.concat(at(rootPom(), "modules", "module"),
				at(rootPom(), "profiles", "profile", "modules", "module"));
		modules.map(MavenBuild::text).forEach((directory) -> {
			Element pom = parse(root.resolve(directory).resolve("pom.xml"));
			String module = text(pom, "artifactId").orElseThrow();
			this.poms.put(module, pom);
			this.directories.put(module, directory);
		});
		at(rootPom(), "dependencyManagement", "dependencies", "dependency")
			.forEach((managed) -> this.managed.put(nameOf(managed), managed));
	}

	@Override
	public String name() {
		return "Maven";
	}

	@Override
	public Set<String> modules() {
		Set<String> modules = new LinkedHashSet<>(this.poms.keySet());
		modules.remove(ROOT);
		return modules;
	}

	@Override
	public String directory(String module) {
		return this.directories.get(module);
	}

	@Override
	public Set<Dependency> dependencies(String module) {
		Set<Dependency> dependencies = new LinkedHashSet<>();
		Element pom = this.poms.get(module);
		if (module.equals(ROOT)) {
			this.managed.values()
				.stream()
				.filter((it) -> scopeOf(it).equals("import"))
				.forEach((it) -> dependencies.add(dependency("import", it)));
			return dependencies;
		}
		at(pom, "dependencyManagement", "dependencies", "dependency")
			.forEach((it) -> dependencies.add(dependency("managed", it)));
		at(pom, "dependencies", "dependency").forEach((it) -> dependencies.add(dependency(scopeOf(it), it)));
		at(pom, "build", "plugins", "plugin", "configuration", "annotationProcessorPaths", "path")
			.forEach((it) -> dependencies.add(processor(dependency("processor", it))));
		return dependencies;
	}

	@Override
	public Optional<String> moduleName(String module) {
		return at(this.poms.get(module), "build", "plugins", "plugin", "configuration", "archive", "manifestEntries",
				"Automatic-Module-Name")
			.map(MavenBuild::text)
			.findFirst();
	}

	/**
	 * What flatten-maven-plugin takes from the module and from its parent.
	 */
	@Override
	public Set<String> publication(String module) {
		Set<String> publication = new LinkedHashSet<>();
		if (isPublished(module)) {
			Stream.of("groupId", "version", "url", "licenses", "developers", "scm")
				.forEach((tag) -> at(rootPom(), tag).forEach((it) -> leaves(tag, it, publication)));
			Stream.of("name", "description")
				.forEach((tag) -> at(this.poms.get(module), tag).forEach((it) -> leaves(tag, it, publication)));
		}
		return publication;
	}

	private static void leaves(String path, Element element, Set<String> lines) {
		if (children(element).findAny().isEmpty()) {
			lines.add(path + ": " + text(element));
		}
		children(element).forEach((child) -> leaves(path + "/" + child.getTagName(), child, lines));
	}

	private boolean isPublished(String module) {
		return !module.equals(ROOT) && at(this.poms.get(module), "properties", "maven.deploy.skip").findAny().isEmpty();
	}

	/**
	 * Without the versions of Maven and its plugins.
	 */
	@Override
	public Set<String> versions() {
		Set<String> versions = new LinkedHashSet<>();
		at(rootPom(), "properties").flatMap(MavenBuild::children)
			.filter((property) -> property.getTagName()
				.matches("maven.compiler.release|.*(?<!-plugin|-maven)\\.version"))
			.forEach((property) -> versions
				.add(property.getTagName().replace("maven.compiler.release", "java.version") + " " + text(property)));
		return versions;
	}

	@Override
	public List<String> offences() {
		List<String> offences = new ArrayList<>();
		String version = text(rootPom(), "version").orElseThrow();
		this.poms.forEach((module, pom) -> {
			String file = directory(module) + "/pom.xml";
			boolean jar = text(pom, "packaging").isEmpty();
			if (isPublished(module) && jar && moduleName(module).isEmpty()) {
				offences.add(file + " publishes a jar without an Automatic-Module-Name");
			}
			Stream.concat(at(pom, "parent", "version"), at(pom, "version"))
				.map(MavenBuild::text)
				.filter((own) -> !own.equals(version))
				.forEach((own) -> offences.add(file + " has version " + own + " but pom.xml is " + version));
			boolean builtForUsers = at(rootPom(), "modules", "module").map(MavenBuild::text)
				.anyMatch(directory(module)::equals);
			if (!module.equals(ROOT) && isPublished(module) != builtForUsers) {
				offences.add(file + (builtForUsers ? " is not published: move it to" : " is published: move it out of")
						+ " the profile \"unpublished\"");
			}
			if (isPublished(module) && jar
					&& dependencies(BOM).stream().noneMatch((it) -> it.name().endsWith(":" + module))) {
				offences.add(BOM + " does not manage " + module);
			}
			descendants(pom).filter((element) -> mayNotBeLiteral(element, pom))
				.filter(MavenBuild::isLiteralVersion)
				.forEach((element) -> offences.add(file + " writes version " + text(element) + " in <"
						+ element.getTagName() + ">: move it to the properties of the parent pom"));
		});
		return offences;
	}

	private Element rootPom() {
		return this.poms.get(ROOT);
	}

	private Dependency dependency(String scope, Element element) {
		Optional<Element> managed = Optional.ofNullable(this.managed.get(nameOf(element)));
		String version = text(element, "version").or(() -> managed.flatMap((it) -> text(it, "version"))).orElse("");
		Set<String> exclusions = new LinkedHashSet<>();
		Stream.concat(Stream.of(element), managed.stream())
			.flatMap((it) -> at(it, "exclusions", "exclusion"))
			.forEach((it) -> exclusions.add(nameOf(it)));
		return new Dependency(scope, nameOf(element),
				version.replace("${project.version}", "").replaceAll("\\$\\{(.+)}", "$1"), exclusions);
	}

	/**
	 * Maven does not manage the versions of processors; in Gradle the BOM of Boot does.
	 */
	private static Dependency processor(Dependency it) {
		return new Dependency(it.scope(), it.name(), it.version().replace("spring-boot.version", ""), it.exclusions());
	}

	/**
	 * An optional dependency is there to compile and test, but not for the user: the same
	 * as provided.
	 */
	private static String scopeOf(Element dependency) {
		boolean optional = text(dependency, "optional").filter("true"::equals).isPresent();
		return optional ? "provided" : text(dependency, "scope").orElse("compile");
	}

	private static String nameOf(Element dependency) {
		String group = text(dependency, "groupId").orElseThrow().replace("${project.groupId}", OWN_GROUP);
		return group + ":" + text(dependency, "artifactId").orElseThrow();
	}

	private boolean mayNotBeLiteral(Element element, Element pom) {
		Element parent = (Element) element.getParentNode();
		boolean own = parent == pom && Set.of("version", "modelVersion").contains(element.getTagName());
		boolean ofParent = parent.getTagName().equals("parent");
		boolean theOnePlace = pom == rootPom() && parent.getTagName().equals("properties");
		return !own && !ofParent && !theOnePlace;
	}

	private static boolean isLiteralVersion(Element element) {
		String text = text(element);
		boolean leaf = children(element).findAny().isEmpty();
		return leaf && (LITERAL_VERSION.matcher(text).matches()
				|| element.getTagName().equals("version") && !text.contains("${"));
	}

	private static Stream<Element> at(Element start, String... path) {
		Stream<Element> found = Stream.of(start);
		for (String tag : path) {
			found = found.flatMap(MavenBuild::children).filter((child) -> child.getTagName().equals(tag));
		}
		return found;
	}

	private static Optional<String> text(Element parent, String tag) {
		return at(parent, tag).map(MavenBuild::text).findFirst();
	}

	private static String text(Element element) {
		return element.getTextContent().trim();
	}

	private static Stream<Element> children(Element parent) {
		return elements(parent.getChildNodes());
	}

	private static Stream<Element> descendants(Element parent) {
		return elements(parent.getElementsByTagName("*"));
	}

	private static Stream<Element> elements(NodeList nodes) {
		return IntStream.range(0, nodes.getLength())
			.mapToObj(nodes::item)
			.filter(Element.class::isInstance)
			.map(Element.class::cast);
	}

	private static Element parse(Path pom) {
		try {
			return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile()).getDocumentElement();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + pom, ex);
		}
		catch (SAXException | ParserConfigurationException ex) {
			throw new IllegalStateException("Cannot parse " + pom, ex);
		}
	}

}
