package io.leaderelection.chaos;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EvidenceTests {

	@Test
	void aSectionTakesThePlaceOfItsPredecessor() {
		String page = "# Evidence\n\nWords.\n\n## Redis\n\nold\n\n## Redis with Sentinel\n\nother\n";
		assertThat(Evidence.replace(page, "Redis", "new\n"))
			.isEqualTo("# Evidence\n\nWords.\n\n## Redis\n\nnew\n\n## Redis with Sentinel\n\nother\n");
		assertThat(Evidence.replace(page, "Redis with Sentinel", "new\n"))
			.isEqualTo("# Evidence\n\nWords.\n\n## Redis\n\nold\n\n## Redis with Sentinel\n\nnew\n");
	}

	@Test
	void aNewSectionComesLast() {
		assertThat(Evidence.replace("# Evidence\n", "Redis", "new\n")).isEqualTo("# Evidence\n\n## Redis\n\nnew\n");
		assertThat(Evidence.replace("# Evidence\n\n## Redis\n\nold\n", "MariaDB", "new\n"))
			.isEqualTo("# Evidence\n\n## Redis\n\nold\n\n## MariaDB\n\nnew\n");
	}

}
