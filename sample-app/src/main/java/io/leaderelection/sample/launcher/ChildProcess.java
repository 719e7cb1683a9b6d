package io.leaderelection.sample.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A process that this one has started, and that ends with this one: its standard input is
 * a pipe that nobody writes to.
 */
class ChildProcess {

	private static final long LOOK_EVERY_MILLIS = 50;

	private static final int LINES_TO_SHOW = 15;

	private final String name;

	private final List<String> command;

	private final Path log;

	private volatile @Nullable Process process;

	ChildProcess(String name, List<String> command, Path directory) {
		this.name = name;
		this.command = command;
		this.log = directory.resolve(name + ".log");
	}

	final String name() {
		return this.name;
	}

	final Path log() {
		return this.log;
	}

	/**
	 * Starts it, for the first time or again.
	 * @return completed when it has ended
	 */
	final CompletableFuture<Process> launch() throws StartFailedException {
		try {
			Process started = new ProcessBuilder(this.command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.appendTo(this.log.toFile()))
				.start();
			this.process = started;
			return started.onExit();
		}
		catch (IOException ex) {
			throw new StartFailedException("%s could not be started: %s".formatted(this.name, ex.getMessage()));
		}
	}

	/**
	 * Waits until the process does what is expected of it, and not longer than it runs.
	 */
	final void await(BooleanSupplier condition, Duration patience) throws StartFailedException {
		long begin = System.nanoTime();
		while (!condition.getAsBoolean()) {
			if (hasEndedWithin(LOOK_EVERY_MILLIS)) {
				throw failed("has ended before it was ready");
			}
			if (System.nanoTime() - begin > patience.toNanos()) {
				throw failed("was not ready within %d s".formatted(patience.toSeconds()));
			}
		}
	}

	private boolean hasEndedWithin(long millis) throws StartFailedException {
		Process present = this.process;
		try {
			return present == null || present.waitFor(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failed("was not waited for");
		}
	}

	private StartFailedException failed(String how) {
		return new StartFailedException("%s %s. The end of %s:%n%s".formatted(this.name, how, this.log, endOfLog()));
	}

	private String endOfLog() {
		try {
			List<String> lines = Files.readAllLines(this.log, StandardCharsets.UTF_8);
			return lines.subList(Math.max(0, lines.size() - LINES_TO_SHOW), lines.size())
				.stream()
				.collect(Collectors.joining(System.lineSeparator()));
		}
		catch (IOException ex) {
			return "which cannot be read: " + ex.getMessage();
		}
	}

	/** As an operator or an orchestrator does: SIGTERM. */
	final void askToEnd() {
		Process present = this.process;
		if (present != null) {
			present.destroy();
		}
	}

	/** Gives it some time to end, and then ends it, and what it has started. */
	final void end(Duration patience) {
		Process present = this.process;
		if (present == null) {
			return;
		}
		List<ProcessHandle> descendants = present.descendants().toList();
		try {
			if (!present.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
				present.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			present.destroyForcibly();
		}
		descendants.forEach(ProcessHandle::destroyForcibly);
	}

	static String java() {
		return Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

}
