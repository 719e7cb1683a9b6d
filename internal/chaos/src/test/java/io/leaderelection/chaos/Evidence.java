package io.leaderelection.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.leaderelection.chaos.ChaosRun.Outcome;
import io.leaderelection.chaos.backend.BackendKind;
import io.leaderelection.chaos.history.Figures;

import org.springframework.boot.SpringBootVersion;

/**
 * Writes what came of a run into a page: a section for each store, with a table. The
 * other sections, and what stands before them, are left as they are.
 */
final class Evidence {

	private static final double NANOS_PER_SECOND = 1e9;

	private static final double NANOS_PER_MILLI = 1e6;

	private final ChaosSettings settings;

	Evidence(ChaosSettings settings) {
		this.settings = settings;
	}

	void write(Path page, BackendKind backend, Outcome outcome, Figures figures) throws IOException {
		String text = Files.exists(page) ? Files.readString(page) : "# Evidence\n";
		Files.createDirectories(page.toAbsolutePath().getParent());
		Files.writeString(page, replace(text, backend.title(), table(outcome, figures)));
	}

	/** The page with another section under a title; a new one comes last. */
	static String replace(String page, String title, String section) {
		List<String> parts = new ArrayList<>(List.of(page.split("(?m)^(?=## )")));
		String whole = "## %s\n\n%s".formatted(title, section);
		for (int i = 0; i < parts.size(); i++) {
			if (parts.get(i).startsWith("## " + title + "\n")) {
				parts.set(i, whole + ((i < parts.size() - 1) ? "\n" : ""));
				return String.join("", parts);
			}
		}
		return page.stripTrailing() + "\n\n" + whole;
	}

	String table(Outcome outcome, Figures figures) {
		Map<String, String> rows = new LinkedHashMap<>();
		rows.put("run",
				"%s, seed %d, %s, %d nodes (%d processes), leases of %s".formatted(LocalDate.now(ZoneOffset.UTC),
						this.settings.seed(), seconds(this.settings.duration().toNanos()), this.settings.nodes(),
						figures.processes(), seconds(this.settings.lease().toNanos())));
		rows.put("store", outcome.store());
		rows.put("versions",
				"commit %s; Spring Boot %s; Java %s; %s %s".formatted(commit(), SpringBootVersion.getVersion(),
						System.getProperty("java.version"), System.getProperty("os.name"),
						System.getProperty("os.version")));
		OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
		rows.put("machine", String.format(Locale.ENGLISH, "%d processors, load %.1f at the end",
				machine.getAvailableProcessors(), machine.getSystemLoadAverage()));
		rows.put("faults injected",
				"**%d**: %s".formatted(figures.faultsInAll(),
						figures.faults()
							.entrySet()
							.stream()
							.map((entry) -> entry.getKey().label() + " " + entry.getValue())
							.collect(Collectors.joining(", "))));
		rows.put("leaderships", count(figures.elections()));
		rows.put("two leaders at once",
				"**%d**, by %s samples".formatted(figures.overlaps(), count(figures.samples())));
		rows.put("what sampling may have missed",
				"at most %s at a hand-over; median %s, of %d hand-overs from process to process"
					.formatted(millis(figures.unseen(1)), millis(figures.unseen(0.5)), figures.unseen().size()));
		rows.put("writes accepted", count(figures.accepted()));
		rows.put("stale writes accepted", "**%d**".formatted(figures.staleWrites()));
		rows.put("stale writes rejected",
				count(figures.refusedInAll()) + figures.refused()
					.entrySet()
					.stream()
					.map((entry) -> entry.getKey().label() + " " + count(entry.getValue()))
					.collect(Collectors.joining(", ", ": ", "")));
		rows.put("longest time without a leader",
				"%s: %s".formatted(seconds(figures.longestGap()), figures.longestGapBecause()));
		rows.put("the same, by initial fault",
				figures.gaps()
					.entrySet()
					.stream()
					.map((entry) -> entry.getKey().label() + " " + seconds(entry.getValue()))
					.collect(Collectors.joining(", ")));
		figures.growth().ifPresent((growth) -> rows.put("the longest-lived process", growth.toString()));
		return rows.entrySet()
			.stream()
			.map((row) -> "| %s | %s |\n".formatted(row.getKey(), row.getValue()))
			.collect(Collectors.joining("", "| | |\n|---|---|\n", ""));
	}

	private static String count(long number) {
		return String.format(Locale.ENGLISH, "%,d", number);
	}

	private static String seconds(long nanos) {
		return String.format(Locale.ENGLISH, (nanos % 1_000_000_000 == 0) ? "%.0f s" : "%.2f s",
				nanos / NANOS_PER_SECOND);
	}

	private static String millis(long nanos) {
		return String.format(Locale.ENGLISH, "%.1f ms", nanos / NANOS_PER_MILLI);
	}

	private static String commit() {
		try (BufferedReader answer = new ProcessBuilder("git", "rev-parse", "--short", "HEAD").start().inputReader()) {
			String commit = answer.readLine();
			return (commit != null) ? commit : "unknown";
		}
		catch (IOException ex) {
			// no git here
			return "unknown";
		}
	}

}
