package io.leaderelection.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation, in its parts: prose, and what stands between fences.
 *
 * @param file where it is
 * @param lines its prose, with empty lines in place of what stands between fences
 * @param snippets what stands between fences
 */
public record Page(Path file, List<String> lines, List<Snippet> snippets) {

	public static final Path REPOSITORY = repository();

	private static final Pattern FENCE = Pattern.compile(" *```(\\S*) *");

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)\\s]+)\\)");

	private static Path repository() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.exists(directory.resolve("settings.gradle.kts"))) {
			directory = directory.getParent();
		}
		return directory;
	}

	public static List<Page> all() {
		try (Stream<Path> docs = Files.walk(REPOSITORY.resolve("docs")); Stream<Path> root = Files.list(REPOSITORY)) {
			return Stream.concat(root, docs)
				.filter((file) -> file.getFileName().toString().endsWith(".md"))
				.sorted()
				.map(Page::read)
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public static Page of(String file) {
		return read(REPOSITORY.resolve(file));
	}

	private static Page read(Path file) {
		try {
			return of(file, Files.readAllLines(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public static Page of(Path file, List<String> text) {
		List<String> prose = new ArrayList<>();
		List<Snippet> snippets = new ArrayList<>();
		List<String> snippet = null;
		String language = "";
		for (int i = 0; i < text.size(); i++) {
			Matcher fence = FENCE.matcher(text.get(i));
			boolean atFence = fence.matches();
			if (snippet != null && atFence) {
				snippets.add(new Snippet("%s:%d".formatted(REPOSITORY.relativize(file), i - snippet.size()), language,
						String.join("\n", snippet)));
				snippet = null;
			}
			else if (snippet != null) {
				snippet.add(text.get(i));
			}
			else if (atFence) {
				language = fence.group(1);
				snippet = new ArrayList<>();
			}
			prose.add((snippet != null || atFence) ? "" : text.get(i));
		}
		if (snippet != null) {
			throw new IllegalStateException("%s ends within a fence".formatted(file));
		}
		return new Page(file, prose, snippets);
	}

	/** What is set as code in the prose. */
	public List<String> codes() {
		return this.lines.stream().flatMap((line) -> groups(CODE, line)).toList();
	}

	/** Where the links of the prose lead. */
	public List<String> links() {
		return this.lines.stream().flatMap((line) -> groups(LINK, line)).toList();
	}

	private static Stream<String> groups(Pattern pattern, String line) {
		return pattern.matcher(line).results().map((MatchResult result) -> result.group(1));
	}

	/** The anchors of its headings, as GitHub makes them. */
	public Set<String> anchors() {
		Set<String> anchors = new LinkedHashSet<>();
		Map<String, Integer> seen = new HashMap<>();
		this.lines.stream().filter((line) -> line.matches("#{1,6} .*")).forEach((line) -> {
			String anchor = line.replaceFirst("#+ +", "")
				.strip()
				.toLowerCase(Locale.ROOT)
				.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
				.replaceAll("[^\\p{L}\\p{N} _-]", "")
				.replace(' ', '-');
			int before = seen.merge(anchor, 1, Integer::sum) - 1;
			anchors.add((before > 0) ? "%s-%d".formatted(anchor, before) : anchor);
		});
		return anchors;
	}

	@Override
	public String toString() {
		return REPOSITORY.relativize(this.file).toString();
	}

}
