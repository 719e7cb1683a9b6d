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

	private static final Pattern LITERAL_VERSION = Pattern.compile("[\\[(]?\\d+(\\.\\d+)+.*");

	private final Map<String, Element> poms = new LinkedHashMap<>();

	private final Map<String, String> directories = new LinkedHashMap<>(Map.of(ROOT, ROOT));

	private final Map<String, String> managedVersions = new HashMap<>();

	MavenBuild(Path root) {
		this.poms.put(ROOT, parse(root.resolve("pom.xml")));
		at(rootPom(), "modules", "module").map(MavenBuild::text).forEach((directory) -> {
			Element pom = parse(root.resolve(directory).resolve("pom.xml"));
			String module = text(pom, "artifactId").orElseThrow();
			this.poms.put(module, pom);
			this.directories.put(module, directory);
		});
		at(rootPom(), "dependencyManagement", "dependencies", "dependency")
			.forEach((managed) -> this.managedVersions.put(nameOf(managed), text(managed, "version").orElse("")));
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
		at(pom, "dependencies", "dependency").forEach((it) -> dependencies.add(dependency(scopeOf(it), it)));
		at(pom, "build", "plugins", "plugin", "configuration", "annotationProcessorPaths", "path")
			.forEach((it) -> dependencies.add(dependency("processor", it)));
		return dependencies;
	}

	@Override
	public Optional<String> moduleName(String module) {
		return at(this.poms.get(module), "build", "plugins", "plugin", "configuration", "archive", "manifestEntries",
				"Automatic-Module-Name")
			.map(MavenBuild::text)
			.findFirst();
	}

	private boolean isPublished(String module) {
		return !module.equals(ROOT) && at(this.poms.get(module), "properties", "maven.deploy.skip").findAny().isEmpty();
	}

	@Override
	public List<String> offences() {
		List<String> offences = new ArrayList<>();
		String version = text(rootPom(), "version").orElseThrow();
		this.poms.forEach((module, pom) -> {
			String file = directory(module) + "/pom.xml";
			if (isPublished(module) && moduleName(module).isEmpty()) {
				offences.add(file + " publishes a jar without an Automatic-Module-Name");
			}
			at(pom, "parent", "version").map(MavenBuild::text)
				.filter((parent) -> !parent.equals(version))
				.forEach((parent) -> offences
					.add(file + " has parent version " + parent + " but pom.xml is " + version));
			descendants(pom).filter((element) -> mayNotBeLiteral(element, pom))
				.filter(MavenBuild::isLiteralVersion)
				.forEach((element) -> offences.add(file + " writes version " + text(element) + " in <"
						+ element.getTagName() + ">: move it to the properties of the parent pom"));
		});
		return offences;
	}

	/**
	 * The names that the Gradle build may read.
	 */
	Set<String> properties() {
		return new LinkedHashSet<>(
				at(rootPom(), "properties").flatMap(MavenBuild::children).map(Element::getTagName).toList());
	}

	private Element rootPom() {
		return this.poms.get(ROOT);
	}

	private Dependency dependency(String scope, Element element) {
		String version = text(element, "version")
			.orElseGet(() -> this.managedVersions.getOrDefault(nameOf(element), ""));
		return new Dependency(scope, nameOf(element),
				version.replace("${project.version}", "").replaceAll("\\$\\{(.+)}", "$1"));
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
