package io.leaderelection.benchmarks.peers.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.leaderelection.benchmarks.peers.Results;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class PageTests {

	@TempDir
	private Path docs;

	@Test
	void aPageShowsWhatWasMeasuredAndLeavesTheRestOut() throws IOException {
		String page = write("clean-stop.csv", "ours-redis,next,12.0", "ours-redis,next,14.0", "curator,next,18.0");
		assertThat(page).contains("A machine.")
			.contains("## Failover")
			.contains("| | clean stop, ms |\n|---|---|\n| **ours, Redis** | 13 (12 to 14) |")
			.contains("**ours, Redis** ahead of every peer")
			.contains("lease 10 s, load of the machine 1.5 to 1.5")
			.contains("## Not measured yet\n\n`clean-stop-web`, `crash`, ")
			.doesNotContain("## `isLeader()`");
	}

	@Test
	void everyPictureOnThePageIsThere() throws IOException {
		String page = write("idle.csv", "ours-redis,requests-1,1.0", "ours-redis,requests-100,1.0",
				"fabric8,requests-1,2.0", "fabric8,requests-100,200.0");
		List<String> pictures = Pattern.compile("]\\((images/[^)]+)\\)")
			.matcher(page)
			.results()
			.map((MatchResult result) -> result.group(1))
			.toList();
		assertThat(pictures).isNotEmpty().allSatisfy((picture) -> assertThat(this.docs.resolve(picture)).exists());
	}

	@Test
	void everyContestantHasItsSettingsListed() throws IOException {
		assertThat(write("idle.csv")).contains("| Redisson RFencedLock | watchdog timeout = lease");
	}

	private String write(String file, String... figures) throws IOException {
		Path directory = Files.createDirectories(this.docs.resolve("benchmarks-peers"));
		StringBuilder lines = new StringBuilder("contestant,measure,value,lease_ms,load,taken\n");
		for (String figure : figures) {
			lines.append(figure).append(",10000,1.5,2026-11-17T08:00:00Z\n");
		}
		Files.writeString(directory.resolve(file), lines);
		new Page(new Results(directory), this.docs, "A machine.").write();
		return Files.readString(this.docs.resolve("benchmarks-peers.md"));
	}

}
