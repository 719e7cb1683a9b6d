package io.leaderelection.benchmarks.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.leaderelection.benchmarks.peers.Claims.Claim;

/**
 * A JVM of its own, which says on standard output what the driver wants to know, and is
 * ended with signals.
 */
final class NodeProcess implements AutoCloseable {

	private final String name;

	private final Process process;

	private final Path log;

	private final List<Said> said = new ArrayList<>();

	private boolean ended;

	private NodeProcess(String name, Process process, Path log) {
		this.name = name;
		this.process = process;
		this.log = log;
		Thread listener = new Thread(this::listen, "output of " + name);
		listener.setDaemon(true);
		listener.start();
	}

	/**
	 * Starts a JVM.
	 * @param name for people, and for its log
	 * @param families what is on its class path
	 * @param logs where its log goes
	 * @param arguments JVM options, main class and arguments
	 */
	static NodeProcess start(String name, Set<Family> families, Path logs, List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>(List
			.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", Family.classPath(families)));
		command.addAll(arguments);
		Files.createDirectories(logs);
		return new NodeProcess(name, new ProcessBuilder(command).redirectErrorStream(true).start(),
				logs.resolve(name + ".log"));
	}

	private void listen() {
		try (BufferedReader lines = this.process.inputReader(StandardCharsets.UTF_8);
				PrintStream copy = new PrintStream(Files.newOutputStream(this.log), true, StandardCharsets.UTF_8)) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				copy.println(line);
				if (line.startsWith("@ ")) {
					hear(Said.parse(line));
				}
			}
		}
		catch (IOException ex) {
			System.err.println("The output of %s ended: %s".formatted(this.name, ex));
		}
		end();
	}

	private synchronized void hear(Said one) {
		this.said.add(one);
		notifyAll();
	}

	private synchronized void end() {
		this.ended = true;
		notifyAll();
	}

	static long now() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

	String name() {
		return this.name;
	}

	List<Said> said(String what) {
		return said(what::equals);
	}

	synchronized List<Said> said(Predicate<String> what) {
		return this.said.stream().filter((one) -> what.test(one.what())).toList();
	}

	synchronized boolean alive() {
		return !this.ended && this.process.isAlive();
	}

	/**
	 * Waits until the process has said something.
	 * @param what the word
	 * @param after the earliest time that counts, in microseconds
	 * @param patience how long to wait
	 * @return what it said, or nothing if it did not in time, or ended
	 */
	synchronized Optional<Said> await(String what, long after, Duration patience) throws InterruptedException {
		long deadline = System.nanoTime() + patience.toNanos();
		while (true) {
			Optional<Said> found = this.said.stream()
				.filter((one) -> one.what().equals(what) && one.micros() >= after)
				.findFirst();
			long left = deadline - System.nanoTime();
			if (found.isPresent() || this.ended || left <= 0) {
				return found;
			}
			TimeUnit.NANOSECONDS.timedWait(this, left);
		}
	}

	/**
	 * Waits as {@link #await}, and fails if it is in vain.
	 * @param what the word
	 * @param patience how long to wait
	 * @return what it said
	 */
	Said expect(String what, Duration patience) throws InterruptedException {
		return await(what, 0, patience).orElseThrow(() -> new IllegalStateException(
				"%s ended, or did not say %s within %s; see %s".formatted(this.name, what, patience, this.log)));
	}

	/**
	 * Asks a question.
	 * @param question one that the program knows
	 * @param patience how long to wait for the answer
	 * @return the answer, or nothing
	 */
	Optional<Long> ask(String question, Duration patience) throws InterruptedException {
		long asked = now();
		try {
			this.process.getOutputStream().write((question + "\n").getBytes(StandardCharsets.UTF_8));
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			// it has ended, as its silence will show
			return Optional.empty();
		}
		return await(question, asked, patience).map(Said::number);
	}

	/**
	 * When its answers were that it leads.
	 * @return the claims, in their order
	 */
	synchronized List<Claim> claims() {
		List<Claim> claims = new ArrayList<>();
		long from = Long.MAX_VALUE;
		for (Said one : this.said) {
			if (one.what().equals("FROM")) {
				from = one.micros();
			}
			else if (one.what().equals("UNTIL")) {
				claims.add(new Claim(from, one.micros()));
				from = Long.MAX_VALUE;
			}
		}
		if (from < Long.MAX_VALUE && !this.ended) {
			claims.add(new Claim(from, Long.MAX_VALUE));
		}
		return claims;
	}

	/** How much processor time it has used. */
	Duration worked() {
		return this.process.info().totalCpuDuration().orElse(Duration.ZERO);
	}

	/** SIGTERM, as an orchestrator sends it. */
	void terminate() {
		this.process.toHandle().destroy();
	}

	/** SIGKILL. */
	void kill() {
		this.process.toHandle().destroyForcibly();
	}

	/**
	 * Sends a signal that Java has no call for.
	 * @param signal STOP or CONT
	 */
	void signal(String signal) throws IOException, InterruptedException {
		int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(this.process.pid())).start().waitFor();
		if (exit != 0) {
			throw new IOException("kill -%s of %s failed".formatted(signal, this.name));
		}
	}

	/**
	 * Waits for its end.
	 * @param patience how long
	 * @return whether it has ended
	 */
	boolean exits(Duration patience) throws InterruptedException {
		return this.process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
	}

	/** Waits until it has ended, which some do only when they are killed. */
	void awaitExit(Duration patience) throws InterruptedException {
		if (!exits(patience)) {
			close();
		}
	}

	@Override
	public void close() {
		kill();
		this.process.onExit().join();
	}

	/**
	 * Something that a process said.
	 *
	 * @param what the word
	 * @param number what about it
	 * @param micros when, by the wall clock that all processes here share
	 */
	record Said(String what, long number, long micros) {

		static Said parse(String line) {
			String[] parts = line.split(" ");
			return new Said(parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]));
		}

	}

}
