package io.leaderelection.sample.browser;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.springframework.util.FileSystemUtils;

/**
 * The Chromium of this machine, without a window, in a profile of its own.
 */
public final class Chromium implements AutoCloseable {

	private static final String LISTENS = "DevTools listening on ";

	private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome",
			"google-chrome-stable");

	/** As root there is no sandbox; the rest keeps it from calling home. */
	private static final List<String> FLAGS = List.of("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
			"--no-first-run", "--no-default-browser-check", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-port=0");

	private final Path profile;

	private final Process process;

	private final DevTools devTools;

	private Chromium(Path executable) throws IOException {
		this.profile = Files.createTempDirectory("chromium-");
		List<String> command = new ArrayList<>(List.of(executable.toString()));
		command.addAll(FLAGS);
		command.addAll(List.of("--user-data-dir=" + this.profile, "about:blank"));
		this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
		this.devTools = new DevTools(address());
	}

	/**
	 * Where it is: what {@code CHROME} says, or what is on the path.
	 * @return the program; empty if there is none
	 */
	public static Optional<Path> find() {
		String configured = System.getenv("CHROME");
		if (configured != null) {
			return Optional.of(Path.of(configured)).filter(Files::isExecutable);
		}
		return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
			.flatMap((directory) -> NAMES.stream().map((name) -> Path.of(directory, name)))
			.filter(Files::isExecutable)
			.findFirst();
	}

	public static Chromium start(Path executable) {
		try {
			return new Chromium(executable);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private URI address() throws IOException {
		BufferedReader output = this.process.inputReader();
		List<String> said = new ArrayList<>();
		for (String line = output.readLine(); line != null; line = output.readLine()) {
			said.add(line);
			if (line.startsWith(LISTENS)) {
				discard(output);
				return URI.create(line.substring(LISTENS.length()));
			}
		}
		throw new IllegalStateException("Chromium does not listen, and said: " + said);
	}

	/** A process that nobody listens to stops when its pipe is full. */
	private static void discard(BufferedReader output) {
		Thread thread = new Thread(() -> {
			try (Stream<String> lines = output.lines()) {
				lines.forEach((line) -> {
				});
			}
			catch (UncheckedIOException ex) {
				// it has ended
			}
		}, "output of chromium");
		thread.setDaemon(true);
		thread.start();
	}

	public Page open(String url) {
		return new Page(this.devTools, url);
	}

	@Override
	public void close() throws IOException {
		this.devTools.close();
		List<ProcessHandle> processes = new ArrayList<>(this.process.descendants().toList());
		processes.add(this.process.toHandle());
		processes.forEach(ProcessHandle::destroyForcibly);
		processes.forEach((process) -> process.onExit().join());
		FileSystemUtils.deleteRecursively(this.profile);
	}

}
