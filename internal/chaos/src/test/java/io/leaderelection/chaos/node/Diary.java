package io.leaderelection.chaos.node;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What happens to a process, a line each, in a file that outlives it.
 */
public final class Diary {

	private final OutputStream file;

	private Diary(OutputStream file) {
		this.file = file;
	}

	/** No channel, which an interrupt would close. */
	static Diary create(Path file) throws IOException {
		return new Diary(new FileOutputStream(file.toFile()));
	}

	/** Writes a line that begins with the time. */
	synchronized void note(Entry what, Object... particulars) {
		StringBuilder line = new StringBuilder().append(System.nanoTime()).append(' ').append(what);
		for (Object particular : particulars) {
			line.append(' ').append(particular);
		}
		try {
			this.file.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Reads what was written so far. A last line that is not whole is left out.
	 * @param file the file
	 * @return the lines; none if there is no file
	 */
	public static List<Line> read(Path file) {
		if (!Files.exists(file)) {
			return List.of();
		}
		try {
			String text = Files.readString(file);
			List<Line> lines = new ArrayList<>();
			text.substring(0, text.lastIndexOf('\n') + 1).lines().map(Line::parse).forEach(lines::add);
			return lines;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * What a line is about, followed by its particulars.
	 */
	public enum Entry {

		/** The process stands for the election. */
		READY,

		/** Token. */
		GAINED,

		/** Token and reason. */
		LOST,

		/** Token: it is read, and the write has not been sent yet. */
		PAUSED,

		/** Position of the writer, token and outcome. */
		WRITE,

		/** Threads and file descriptors. */
		RESOURCES

	}

	/**
	 * A line.
	 *
	 * @param at when
	 * @param what what it is about
	 * @param particulars what else it says
	 */
	public record Line(long at, Entry what, List<String> particulars) {

		private static Line parse(String line) {
			List<String> words = List.of(line.split(" "));
			return new Line(Long.parseLong(words.get(0)), Entry.valueOf(words.get(1)), words.subList(2, words.size()));
		}

		public long number(int particular) {
			return Long.parseLong(this.particulars.get(particular));
		}

	}

}
