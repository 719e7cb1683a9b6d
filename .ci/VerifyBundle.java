import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import org.w3c.dom.Element;

/**
 * Checks a bundle, a directory in the layout of a Maven repository, against what public
 * repositories such as Maven Central require, except signatures. Lists every problem.
 *
 * java .ci/VerifyBundle.java BUNDLE VERSION
 */
public class VerifyBundle {

	private static final String GROUP = "io.leaderelection";

	private final List<String> problems = new ArrayList<>();

	private final Set<Path> expected = new TreeSet<>();

	private final Set<String> jars = new TreeSet<>();

	private final Path bundle;

	private final String version;

	VerifyBundle(Path bundle, String version) {
		this.bundle = bundle;
		this.version = version;
	}

	public static void main(String[] arguments) throws Exception {
		List<String> problems = new VerifyBundle(Path.of(arguments[0]), arguments[1]).verify();
		problems.forEach((problem) -> System.err.println("bundle: " + problem));
		System.exit(problems.isEmpty() ? 0 : 1);
	}

	List<String> verify() throws Exception {
		check(!this.version.contains("SNAPSHOT"), "The version is " + this.version);
		List<Element> modules = new ArrayList<>();
		for (Element module : list(parse(Path.of("pom.xml")), "modules", "module")) {
			modules.add(parse(Path.of(module.getTextContent(), "pom.xml")));
		}
		check(!modules.isEmpty(), "pom.xml has no modules");
		Set<String> published = modules.stream().map((pom) -> text(pom, "artifactId")).collect(Collectors.toSet());
		for (Element module : modules) {
			String name = text(module, "artifactId");
			Path directory = this.bundle.resolve(GROUP.replace('.', '/')).resolve(name).resolve(this.version);
			String prefix = name + "-" + this.version;
			if (!"pom".equals(text(module, "packaging"))) {
				this.jars.add(name);
				jars(directory, prefix);
			}
			Path pom = directory.resolve(prefix + ".pom");
			if (exists(pom)) {
				pom(prefix + ".pom", parse(pom), name, published);
			}
		}
		managed();
		try (Stream<Path> files = Files.walk(this.bundle)) {
			files.filter(Files::isRegularFile)
				.filter((file) -> !this.expected.contains(file))
				.forEach((file) -> this.problems.add("Unexpected: " + this.bundle.relativize(file)));
		}
		return this.problems;
	}

	/** Without classes, such as those of the starter, the other two jars are empty. */
	private void jars(Path directory, String prefix) throws IOException {
		boolean classes = false;
		if (exists(directory.resolve(prefix + ".jar"))) {
			classes = contains(directory.resolve(prefix + ".jar"), ".class");
			try (JarFile jar = new JarFile(directory.resolve(prefix + ".jar").toFile())) {
				check(jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name") != null,
						prefix + ".jar has no Automatic-Module-Name");
			}
		}
		if (exists(directory.resolve(prefix + "-sources.jar"))) {
			check(!classes || contains(directory.resolve(prefix + "-sources.jar"), ".java"),
					prefix + "-sources.jar has no sources");
		}
		if (exists(directory.resolve(prefix + "-javadoc.jar"))) {
			check(!classes || contains(directory.resolve(prefix + "-javadoc.jar"), "index.html"),
					prefix + "-javadoc.jar has no javadoc");
		}
	}

	private void pom(String file, Element pom, String name, Set<String> published) {
		check(GROUP.equals(text(pom, "groupId")), file + " has the groupId " + text(pom, "groupId"));
		check(name.equals(text(pom, "artifactId")), file + " has the artifactId " + text(pom, "artifactId"));
		check(this.version.equals(text(pom, "version")), file + " has the version " + text(pom, "version"));
		for (String path : List.of("name", "description", "url", "licenses/license/name", "licenses/license/url",
				"developers/developer/name", "scm/connection", "scm/developerConnection", "scm/url")) {
			check(list(pom, path.split("/")).stream().anyMatch((it) -> !it.getTextContent().isBlank()),
					file + " has no " + path);
		}
		for (String path : List.of("parent", "repositories", "profiles", "build")) {
			check(list(pom, path).isEmpty(), file + " has a " + path);
		}
		check(!pom.getTextContent().contains("SNAPSHOT"), file + " contains SNAPSHOT");
		check(!pom.getTextContent().contains("${"), file + " contains ${");
		Stream.of(list(pom, "dependencies", "dependency"),
				list(pom, "dependencyManagement", "dependencies", "dependency"))
			.flatMap(List::stream)
			.forEach((dependency) -> dependency(file, dependency, published));
	}

	private void dependency(String file, Element dependency, Set<String> published) {
		String name = text(dependency, "groupId") + ":" + text(dependency, "artifactId");
		check(text(dependency, "version") != null, file + " has no version of " + name);
		check(!Set.of("test", "system").contains(String.valueOf(text(dependency, "scope"))),
				file + " has " + name + " in the scope " + text(dependency, "scope"));
		check(!GROUP.equals(text(dependency, "groupId")) || published.contains(text(dependency, "artifactId")),
				file + " needs " + name + ", which is not published");
	}

	/** The BOM manages every jar, and nothing else. */
	private void managed() throws Exception {
		String name = "leader-election-bom";
		Path pom = this.bundle.resolve("%s/%s/%s/%2$s-%3$s.pom".formatted(GROUP.replace('.', '/'), name, this.version));
		if (Files.exists(pom)) {
			Set<String> managed = list(parse(pom), "dependencyManagement", "dependencies", "dependency").stream()
				.filter((it) -> this.version.equals(text(it, "version")) && GROUP.equals(text(it, "groupId")))
				.map((it) -> text(it, "artifactId"))
				.collect(Collectors.toCollection(TreeSet::new));
			check(managed.equals(this.jars), name + " manages " + managed + " instead of " + this.jars);
			check(list(parse(pom), "dependencyManagement", "dependencies", "dependency").size() == managed.size(),
					name + " manages more than our own modules");
		}
		else {
			check(false, "There is no " + name);
		}
	}

	/** Whether a file is there, with the checksums that it has. */
	private boolean exists(Path file) throws IOException {
		if (!Files.isRegularFile(file)) {
			this.problems.add("Missing: " + this.bundle.relativize(file));
			return false;
		}
		this.expected.add(file);
		for (String algorithm : List.of("MD5", "SHA-1")) {
			Path checksum = Path.of(file + "." + algorithm.replace("-", "").toLowerCase());
			this.expected.add(checksum);
			check(Files.exists(checksum) && Files.readString(checksum).strip().equals(digest(file, algorithm)),
					"Missing or wrong: " + this.bundle.relativize(checksum));
		}
		return true;
	}

	private static String digest(Path file, String algorithm) throws IOException {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
		}
		catch (java.security.NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean contains(Path file, String suffix) throws IOException {
		try (JarFile jar = new JarFile(file.toFile())) {
			return jar.stream().anyMatch((entry) -> entry.getName().endsWith(suffix));
		}
	}

	private void check(boolean right, String problem) {
		if (!right) {
			this.problems.add(problem);
		}
	}

	private static Element parse(Path file) throws Exception {
		return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()).getDocumentElement();
	}

	private static List<Element> list(Element start, String... path) {
		List<Element> found = List.of(start);
		for (String tag : path) {
			found = found.stream()
				.flatMap((element) -> IntStream.range(0, element.getChildNodes().getLength())
					.mapToObj(element.getChildNodes()::item))
				.filter((node) -> node.getNodeName().equals(tag))
				.map(Element.class::cast)
				.toList();
		}
		return found;
	}

	private static String text(Element parent, String tag) {
		return list(parent, tag).stream().map((element) -> element.getTextContent().strip()).findFirst().orElse(null);
	}

}
