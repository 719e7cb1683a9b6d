package io.leaderelection.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.leaderelection.chaos.backend.BackendKind;
import io.leaderelection.chaos.history.Bounds;

import org.springframework.boot.convert.DurationStyle;

/**
 * What to run, from system properties. By default a short run of many kinds of faults.
 *
 * @param backends {@code chaos.backends}: the stores, one after the other; {@code all} or
 * some of them, separated by commas
 * @param seed {@code chaos.seed}: decides the schedule
 * @param duration {@code chaos.duration}: how long faults are injected
 * @param nodes {@code chaos.nodes}: how many nodes there are
 * @param lease {@code chaos.lease}: how long a lease lasts
 * @param slack {@code chaos.slack}: what a busy machine may add to every bound
 * @param calm how long to let things settle after the faults, long enough for a leak to
 * be told from what is just being cleaned up
 * @param evidence {@code chaos.evidence}: the file that results are written to
 * @param broken whether the nodes do what they must not do
 */
record ChaosSettings(List<BackendKind> backends, long seed, Duration duration, int nodes, Duration lease,
		Duration slack, Duration calm, Optional<Path> evidence, boolean broken) {

	static ChaosSettings fromSystemProperties() {
		return new ChaosSettings(BackendKind.parse(System.getProperty("chaos.backends", "redis")),
				Long.getLong("chaos.seed", 9), duration("chaos.duration", "16s"), Integer.getInteger("chaos.nodes", 3),
				duration("chaos.lease", "2s"), duration("chaos.slack", "3s"), Duration.ofSeconds(6),
				Optional.ofNullable(System.getProperty("chaos.evidence")).map(Path::of), false);
	}

	private static Duration duration(String property, String otherwise) {
		return DurationStyle.detectAndParse(System.getProperty(property, otherwise));
	}

	/** A short run of nodes that do what they must not do. */
	static ChaosSettings broken(BackendKind backend) {
		return new ChaosSettings(List.of(backend), 0, Duration.ZERO, 2, Duration.ofSeconds(1), Duration.ofSeconds(3),
				Duration.ofSeconds(1), Optional.empty(), true);
	}

	Bounds bounds() {
		return Bounds.of(this.lease, this.slack);
	}

}
