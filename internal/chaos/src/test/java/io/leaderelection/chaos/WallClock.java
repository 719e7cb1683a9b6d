package io.leaderelection.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The wall clock of a node. It can be set where libfaketime is installed (Debian:
 * {@code faketime}); monotonic clocks are left alone.
 */
final class WallClock {

	/** How long libfaketime may take to notice. */
	static final Duration DELAY = Duration.ofSeconds(1);

	private static final Optional<Path> LIBRARY = find();

	private final Path offset;

	WallClock(Path offset) {
		this.offset = offset;
		set(Duration.ZERO);
	}

	static boolean canBeSet() {
		return LIBRARY.isPresent();
	}

	private static Optional<Path> find() {
		return Stream
			.of(System.getProperty("chaos.faketime", ""), "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
					"/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1", "/usr/lib64/faketime/libfaketime.so.1",
					"/usr/lib/faketime/libfaketime.so.1", "/usr/local/lib/faketime/libfaketime.so.1")
			.map(Path::of)
			.filter(Files::isRegularFile)
			.findFirst();
	}

	/** Gives a process this clock. */
	void applyTo(ProcessBuilder builder) {
		LIBRARY.ifPresent((library) -> {
			builder.environment().put("LD_PRELOAD", library.toString());
			builder.environment().put("FAKETIME_TIMESTAMP_FILE", this.offset.toAbsolutePath().toString());
			builder.environment().put("FAKETIME_CACHE_DURATION", Long.toString(DELAY.toSeconds()));
			builder.environment().put("DONT_FAKE_MONOTONIC", "1");
			// otherwise waits on a monotonic clock end at once
			builder.environment().put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
		});
	}

	/** Sets the clock to the real time and so much more, or less. */
	void set(Duration ahead) {
		try {
			Files.createDirectories(this.offset.toAbsolutePath().getParent());
			Path next = this.offset.resolveSibling(this.offset.getFileName() + ".next");
			Files.writeString(next, "%+d".formatted(ahead.toSeconds()));
			Files.move(next, this.offset, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
