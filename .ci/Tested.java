import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Lists the servers that each module was tested on, and the tests that were skipped, from
 * what the last test run has written: {@code java .ci/Tested.java}.
 */
class Tested {

	private final Map<String, Integer> servers = new TreeMap<>();

	private final Map<String, Integer> skipped = new TreeMap<>();

	public static void main(String[] arguments) throws Exception {
		Tested tested = new Tested();
		try (Stream<Path> files = Files.walk(Path.of("."))) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				String module = file.toString().replaceFirst("^\\./", "").replaceFirst("/(target|build)/.*", "");
				if (file.toString().matches(".*/(target|build)/tested-servers\\.txt")) {
					Files.readAllLines(file).forEach((server) -> count(tested.servers, module, server));
				}
				else if (file.toString().matches(".*/(target/surefire-reports|build/test-results/test)/TEST-.*\\.xml")) {
					tested.readSkipped(module, file);
				}
			}
		}
		print("Servers that tests ran on, and how often each was started or reported", tested.servers);
		print("Skipped tests", tested.skipped);
	}

	private void readSkipped(String module, Path report) throws Exception {
		NodeList skips = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(report.toFile())
			.getElementsByTagName("skipped");
		for (int i = 0; i < skips.getLength(); i++) {
			Element skip = (Element) skips.item(i);
			String text = skip.hasAttribute("message") ? skip.getAttribute("message") : skip.getTextContent();
			String reason = text.replaceFirst("(?s)^[\\w.]+Exception:", "").replaceFirst("(?s)\\n\\s*at .*", "");
			// one line for all malformed records that a store cannot hold
			count(this.skipped, module,
					reason.strip().replaceAll("\\s+", " ").replaceFirst(" cannot plant [A-Z_]+,", " cannot plant some records,"));
		}
	}

	private static void count(Map<String, Integer> counts, String module, String what) {
		counts.merge("%-42s %s".formatted(module, what), 1, Integer::sum);
	}

	private static void print(String title, Map<String, Integer> counts) {
		System.out.printf("%n%s%n", title);
		counts.forEach((what, count) -> System.out.printf("%6d  %s%n", count, what));
	}

}
