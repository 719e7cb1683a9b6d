package io.leaderelection.benchmarks.peers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Counts the instructions that a process has executed when it is ready, which other load
 * on the machine disturbs less than times. Needs QEMU's user emulation and a C compiler.
 */
final class EmulatedProcessor {

	private static final String QEMU = "qemu-x86_64";

	private static final String COMPILER = "cc";

	private static final String SOURCE = "instructions.c";

	private final Path plugin;

	private EmulatedProcessor(Path plugin) {
		this.plugin = plugin;
	}

	static boolean isPossible() {
		return System.getProperty("os.arch").equals("amd64") && isOnPath(QEMU) && isOnPath(COMPILER);
	}

	private static boolean isOnPath(String command) {
		return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, command)));
	}

	/**
	 * Compiles what counts.
	 * @param directory where it goes
	 * @return a processor
	 */
	static EmulatedProcessor in(Path directory) throws IOException, InterruptedException {
		Files.createDirectories(directory);
		Path source = directory.resolve(SOURCE);
		Path plugin = directory.resolve("instructions.so").toAbsolutePath();
		try (InputStream input = EmulatedProcessor.class.getResourceAsStream("/" + SOURCE)) {
			Files.write(source, Objects.requireNonNull(input, SOURCE).readAllBytes());
		}
		int exit = new ProcessBuilder(COMPILER, "-O2", "-shared", "-fPIC", "-o", plugin.toString(), source.toString())
			.inheritIO()
			.start()
			.waitFor();
		if (exit != 0) {
			throw new IOException("%s cannot be compiled".formatted(source));
		}
		return new EmulatedProcessor(plugin);
	}

	/**
	 * What to put before the command of a process.
	 * @param counts where its counts go
	 */
	List<String> launcher(Path counts) {
		return List.of(QEMU, "-cpu", "max", "-plugin", "file=%s,to=%s".formatted(this.plugin, counts.toAbsolutePath()));
	}

	static Counts read(Path counts) throws IOException {
		String[] numbers = Files.readString(counts).strip().split(" ");
		return new Counts(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
	}

	/**
	 * Instructions until a process was ready.
	 *
	 * @param main those of the thread that said so
	 * @param all those of all threads
	 */
	record Counts(long main, long all) {
	}

}
