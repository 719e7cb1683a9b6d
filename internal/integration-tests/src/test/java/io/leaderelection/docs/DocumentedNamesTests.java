package io.leaderelection.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The prose of the documentation names pages, headings, properties and tests that there
 * are.
 */
class DocumentedNamesTests {

	private static final List<Page> PAGES = Page.all();

	private static final Pattern PROPERTY = Pattern
		.compile("((?:leader-election|management|spring)\\.[a-z0-9.-]*[a-z0-9])(\\.\\*|\\.…)?(?:[=:].*)?");

	@Test
	void linksLeadSomewhere() {
		List<String> broken = new ArrayList<>();
		for (Page page : PAGES) {
			for (String link : page.links()) {
				if (!link.contains("://") && !leadsSomewhere(page, link)) {
					broken.add("%s: %s".formatted(page, link));
				}
			}
		}
		assertThat(broken).isEmpty();
		assertThat(PAGES.stream().flatMap((page) -> page.links().stream())).hasSizeGreaterThan(50);
	}

	@Test
	void linksThatLeadNowhereAreFound() {
		Page page = Page.of("README.md");
		assertThat(leadsSomewhere(page, "docs/nothing.md")).isFalse();
		assertThat(leadsSomewhere(page, "docs/metrics.md#nothing")).isFalse();
		assertThat(leadsSomewhere(page, "#nothing")).isFalse();
	}

	private static boolean leadsSomewhere(Page page, String link) {
		String[] parts = link.split("#", 2);
		Path file = parts[0].isEmpty() ? page.file() : page.file().resolveSibling(parts[0]).normalize();
		return Files.exists(file) && (parts.length == 1
				|| Page.of(Page.REPOSITORY.relativize(file).toString()).anchors().contains(parts[1]));
	}

	@Test
	void everyPageIsLedTo() {
		Page readme = Page.of("README.md");
		assertThat(PAGES.stream().filter((page) -> page.file().getParent().endsWith("docs")))
			.allSatisfy((page) -> assertThat(readme.links()).anyMatch((link) -> link.startsWith(page.toString())));
	}

	@Test
	void propertiesExist() {
		KnownProperties known = new KnownProperties();
		List<String> unknown = new ArrayList<>();
		int seen = 0;
		for (Page page : PAGES) {
			for (String code : page.codes()) {
				Matcher property = PROPERTY.matcher(code);
				if (property.matches()) {
					seen++;
					String name = property.group(1);
					if (!known.include(name) && !known.includeBelow(name)) {
						unknown.add("%s: %s".formatted(page, name));
					}
				}
			}
		}
		assertThat(unknown).isEmpty();
		assertThat(seen).isGreaterThan(100);
	}

	@Test
	void testsExist() {
		Commands repository = new Commands(Page.REPOSITORY);
		List<String> unknown = new ArrayList<>();
		for (Page page : PAGES) {
			for (String code : page.codes()) {
				if (code.matches("[A-Z]\\w+(Tests|Contract)") && !repository.hasClass(code)) {
					unknown.add("%s: %s".formatted(page, code));
				}
			}
		}
		assertThat(unknown).isEmpty();
	}

}
