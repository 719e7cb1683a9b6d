package io.leaderelection.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of rules in {@code docs/architecture.md} names classes, tests and mutants
 * that exist.
 */
class RulesOfTheEngineTests {

	private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

	private static final Pattern CODE = Pattern.compile("`(\\w+)`");

	@Test
	void everyRuleHasAClassAndATest() throws IOException {
		Set<String> classes = names("src/main");
		Set<String> tests = names("src/test");
		String mutants = Files.readString(
				REPOSITORY.resolve("leader-election-test/src/test/java/io/leaderelection/test/simulation/Mutant.java"));
		assertThat(rows()).hasSizeBetween(20, 30).allSatisfy((row) -> {
			String[] cells = row.split("\\|");
			assertThat(classes).containsAll(codes(cells[2]));
			assertThat(codes(cells[3])).isNotEmpty()
				.allMatch((test) -> tests.contains(test) || mutants.contains("\t" + test + "("));
		});
	}

	private static List<String> rows() throws IOException {
		return Files.readAllLines(REPOSITORY.resolve("docs/architecture.md"))
			.stream()
			.filter((line) -> line.matches("\\| P\\d .*"))
			.toList();
	}

	private static List<String> codes(String cell) {
		return CODE.matcher(cell).results().map((match) -> match.group(1)).toList();
	}

	/** The simple names of all classes below such folders of the modules. */
	private static Set<String> names(String folder) throws IOException {
		try (Stream<Path> files = Files.walk(REPOSITORY)) {
			return files.map(Path::toString)
				.filter((file) -> file.contains("/" + folder + "/") && file.endsWith(".java"))
				.map((file) -> file.substring(file.lastIndexOf('/') + 1, file.length() - ".java".length()))
				.collect(Collectors.toSet());
		}
	}

}
