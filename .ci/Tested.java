import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Lists, from the reports of the tests, which servers each module was tested on and which
 * tests were skipped: {@code java .ci/Tested.java}.
 */
class Tested {

	private static final Pattern SERVER = Pattern.compile("^Tested on (.+)$", Pattern.MULTILINE);

	private final Map<String, Map<String, Integer>> servers = new TreeMap<>();

	private final Map<String, Map<String, Integer>> skipped = new TreeMap<>();

	public static void main(String[] arguments) throws Exception {
		Path root = Path.of(arguments.length > 0 ? arguments[0] : ".");
		Tested tested = new Tested();
		try (Stream<Path> files = Files.walk(root)) {
			for (Path report : files.filter(Tested::isReport).toList()) {
				tested.read(root.relativize(report).toString().replaceFirst("/(target|build)/.*", ""), report);
			}
		}
		print("Test classes on servers", tested.servers);
		print("Skipped tests", tested.skipped);
	}

	private static boolean isReport(Path file) {
		return file.getFileName().toString().matches("TEST-.*\\.xml")
				&& file.toString().matches(".*(target/surefire-reports|build/test-results/test)/[^/]+");
	}

	private void read(String module, Path report) throws Exception {
		Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report.toFile());
		Matcher server = SERVER.matcher(document.getDocumentElement().getTextContent());
		while (server.find()) {
			count(this.servers, module, server.group(1));
		}
		NodeList skips = document.getElementsByTagName("skipped");
		for (int i = 0; i < skips.getLength(); i++) {
			Element skip = (Element) skips.item(i);
			String reason = skip.getAttribute("message").isEmpty() ? skip.getTextContent() : skip.getAttribute("message");
			count(this.skipped, module, reason.strip().lines().findFirst().orElse("no reason given")
				.replaceFirst("^[\\w.]+Exception: (Assumption failed: )?", ""));
		}
	}

	private static void count(Map<String, Map<String, Integer>> counts, String module, String what) {
		counts.computeIfAbsent(module, (key) -> new TreeMap<>()).merge(what, 1, Integer::sum);
	}

	private static void print(String title, Map<String, Map<String, Integer>> counts) {
		System.out.printf("%n%s%n", title);
		counts.forEach((module, entries) -> entries
			.forEach((what, count) -> System.out.printf("  %-42s %4d  %s%n", module, count, what)));
	}

}
