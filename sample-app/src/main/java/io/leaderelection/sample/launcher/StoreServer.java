package io.leaderelection.sample.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A Redis, ZooKeeper or PostgreSQL that was not there, and is started for the demo.
 */
final class StoreServer extends ChildProcess {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/** What the program says when its server answers. */
	private static final String READY = "ready: ";

	StoreServer(String backend, Path jar, Path directory) {
		super(backend, List.of(java(), "-jar", jar.toString(), backend, directory.resolve(backend).toString()),
				directory);
	}

	/**
	 * Starts it.
	 * @return its address
	 */
	String start() throws StartFailedException {
		launch();
		await(() -> address().isPresent(), PATIENCE);
		return address().orElseThrow();
	}

	private Optional<String> address() {
		try {
			return Files.readAllLines(log(), StandardCharsets.UTF_8)
				.stream()
				.filter((line) -> line.startsWith(READY))
				.map((line) -> line.substring(READY.length()))
				.findFirst();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
