package io.leaderelection.docs;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.yaml.snakeyaml.Yaml;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.PropertyPlaceholderHelper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Everything that stands between fences in the documentation is compiled, bound, parsed
 * or looked up. What cannot be treated says so in its language, or fails.
 */
class DocumentedSnippetsTests {

	private static final List<Page> PAGES = Page.all();

	/** Who else has a look at a language, where it is not here. */
	private static final Map<String, String> ELSEWHERE = Map.of("promql", "ScrapeTests asks a real scrape", "redis",
			"RedisSetupTests grants these rights and no others");

	private static final Set<String> HERE = Set.of("java", "yaml", "json", "xml", "kotlin", "bash", "mermaid");

	private static Stream<Snippet> all() {
		return PAGES.stream().flatMap((page) -> page.snippets().stream());
	}

	private static Stream<Snippet> snippets(String language) {
		return all().filter((snippet) -> snippet.language().equals(language));
	}

	@Test
	void everySnippetSaysWhatItIsAndSomebodyHasALookAtIt() {
		assertThat(all().filter((snippet) -> !HERE.contains(snippet.language()))
			.filter((snippet) -> !ELSEWHERE.containsKey(snippet.language())))
			.as("in no language that a test knows: name it after the fence, and treat it")
			.isEmpty();
		assertThat(HERE).allSatisfy((language) -> assertThat(snippets(language)).as(language).isNotEmpty());
	}

	@Test
	void javaCompilesButForAMistake() {
		Snippet mistake = new Snippet("here", "java", "this.payouts.executeAsLeeder(() -> null);");
		assertThat(JavaSnippets.errors(Stream.concat(snippets("java"), Stream.of(mistake)).toList()))
			.as("what they take for granted is in %s", Surroundings.class)
			.containsOnlyKeys("here");
	}

	@Test
	void theFirstJavaOfEachPageHasItsImports() {
		assertThat(PAGES.stream()
			.flatMap(
					(page) -> page.snippets().stream().filter((snippet) -> snippet.language().equals("java")).limit(1)))
			.isNotEmpty()
			.allMatch((snippet) -> snippet.text().startsWith("import "));
	}

	@Test
	void aMissingImportIsFound() {
		assertThat(JavaSnippets.errors(List
			.of(new Snippet("here", "java", "import java.util.Set;\n\nclass Names {\n\n\tList<String> names;\n\n}"))))
			.containsOnlyKeys("here");
	}

	static Stream<Snippet> yaml() {
		return snippets("yaml");
	}

	@ParameterizedTest
	@MethodSource("yaml")
	void yamlIsRead(Snippet snippet) throws IOException {
		Map<String, Object> manifest = new Yaml().load(snippet.text());
		if (manifest.containsKey("apiVersion")) {
			assertThat(manifest).containsKeys("kind", "metadata");
		}
		else {
			assertThat(Configuration.problems(snippet.text())).isEmpty();
		}
	}

	@Test
	void yamlThatNobodyReadsIsFound() throws IOException {
		assertThat(Configuration.problems("leader-election:\n  backand: redis")).isNotEmpty();
		assertThat(Configuration.problems("leader-election:\n  backend: radish")).isNotEmpty();
		assertThat(Configuration.problems("leader-election:\n  elections:\n    reports:\n      lease: 5s"))
			.isNotEmpty();
		assertThat(Configuration.problems("management:\n  endpoint:\n    leader:\n      acess: none")).isNotEmpty();
	}

	@Test
	void jsonIsWellFormed() {
		assertThat(snippets("json"))
			.allSatisfy((snippet) -> assertThat(JsonParserFactory.getJsonParser().parseMap(snippet.text()))
				.as(snippet.toString())
				.isNotEmpty());
	}

	@Test
	void dependenciesAreThoseOfTheBuild() throws Exception {
		List<String> documented = new ArrayList<>();
		for (Snippet snippet : snippets("xml").toList()) {
			documented.add(coordinates(parse(snippet.text())));
		}
		snippets("kotlin").flatMap((snippet) -> snippet.text().lines())
			.forEach((line) -> documented.add(line.replaceFirst("^\\w+\\((?:platform\\()?\"(.*?)\"\\)+$", "$1")));
		assertThat(documented).hasSizeGreaterThan(1).allMatch(managed()::contains);
	}

	/**
	 * What the parent manages, our own modules included, and the BOM, each with its
	 * version.
	 */
	private static Set<String> managed() throws Exception {
		Element project = parse(Files.readString(Page.REPOSITORY.resolve("pom.xml")));
		Map<String, String> properties = new HashMap<>(Map.of("project.version", child(project, "version")));
		elements(project.getElementsByTagName("properties").item(0))
			.forEach((property) -> properties.put(property.getTagName(), property.getTextContent()));
		Element management = (Element) project.getElementsByTagName("dependencyManagement").item(0);
		PropertyPlaceholderHelper placeholders = new PropertyPlaceholderHelper("${", "}");
		return Stream
			.concat(elements(management.getElementsByTagName("dependencies").item(0))
				.map(DocumentedSnippetsTests::coordinates),
					Stream.of("io.leaderelection:leader-election-bom:${project.version}"))
			.map((coordinates) -> placeholders.replacePlaceholders(coordinates, properties::get))
			.collect(Collectors.toSet());
	}

	private static Stream<Element> elements(Node parent) {
		return IntStream.range(0, parent.getChildNodes().getLength())
			.mapToObj(parent.getChildNodes()::item)
			.filter(Element.class::isInstance)
			.map(Element.class::cast);
	}

	private static String coordinates(Element dependency) {
		assertThat(dependency.getTagName()).isEqualTo("dependency");
		return "%s:%s:%s".formatted(child(dependency, "groupId"), child(dependency, "artifactId"),
				child(dependency, "version"));
	}

	private static Element parse(String xml) throws Exception {
		return DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new InputSource(new StringReader(xml)))
			.getDocumentElement();
	}

	private static String child(Element parent, String name) {
		return elements(parent).filter((child) -> child.getTagName().equals(name))
			.findFirst()
			.orElseThrow(() -> new AssertionError("There is no <%s> in <%s>".formatted(name, parent.getTagName())))
			.getTextContent();
	}

	@Test
	void picturesAreOfWhatMermaidDraws() {
		assertThat(snippets("mermaid"))
			.allSatisfy((snippet) -> assertThat(Flowchart.problems(snippet.text())).as(snippet.toString()).isEmpty());
		assertThat(List.of("flowchrt LR", "flowchart LR\na[one", "flowchart LR\na[one]\na --> b",
				"flowchart LR\na[one]\nb[two]\na -> b", "flowchart LR\nsubgraph s [all]\na[one]",
				"flowchart LR\na[one]\nend", "flowchart LR\nend[one]", "flowchart LR\na[one (or two)]",
				"flowchart LR\na[one]\na[two]"))
			.allSatisfy((chart) -> assertThat(Flowchart.problems(chart)).as(chart).isNotEmpty());
	}

	@Test
	void commandsNameWhatThereIs() {
		Commands commands = new Commands(Page.REPOSITORY);
		assertThat(snippets("bash").flatMap((snippet) -> snippet.text().lines())).isNotEmpty()
			.allSatisfy((command) -> assertThat(commands.problems(command)).as(command).isEmpty());
		assertThat(List.of("mvn -B frobnicate", "mvn -pl nowhere test", "mvn -Pnone verify", "mvn test -Dtest=NoTests",
				"mvn test -Dno.such=1", "./demo --frobnicate", "./nothing", "java -jar nowhere/target/nowhere.jar",
				"docker compose --profile none up",
				"curl localhost:8080/actuator/leader/a -d '{\"action\": \"explode\"}'"))
			.allSatisfy((command) -> assertThat(commands.problems(command)).as(command).isNotEmpty());
	}

}
