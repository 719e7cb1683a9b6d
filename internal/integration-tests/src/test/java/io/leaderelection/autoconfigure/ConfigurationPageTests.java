package io.leaderelection.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;

import io.leaderelection.docs.Page;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code docs/configuration.md} says what the metadata say. Writes it where it is told
 * to.
 */
class ConfigurationPageTests {

	private static final String WRITE = "configuration-page.write";

	private final ConfigurationPage page = new ConfigurationPage(Page.REPOSITORY);

	@Test
	void thePageIsUpToDate() throws IOException {
		if (Boolean.getBoolean(WRITE)) {
			Files.writeString(this.page.file(), this.page.text());
		}
		assertThat(this.page.file()).as("""
				Properties have changed. Write the page anew with

				mvn -B -pl internal/integration-tests -am test -Dtest=ConfigurationPageTests \
				-Dsurefire.failIfNoSpecifiedTests=false -D%s=true
				""", WRITE).content().isEqualTo(this.page.text());
	}

	@Test
	void thePageHasWhatTheMetadataDoNotKnow() {
		assertThat(this.page.text()).contains("| `leader-election.elections.<name>.lease-duration` | duration |");
	}

}
