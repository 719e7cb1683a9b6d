package io.leaderelection.chaos.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.leaderelection.chaos.history.Answers;
import io.leaderelection.chaos.history.Sample;

/**
 * What a process answered, in a file that is mapped into memory: a sample costs no call
 * of the system, is there for others at once, and outlives a SIGKILL. Samples with the
 * same answer that are close to each other share one entry.
 */
public final class SampleLog {

	/** Two samples that are further apart do not vouch for what was between them. */
	static final long CLOSE = 20_000_000;

	private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

	private static final int ENTRIES = 1 << 18;

	private static final int ENTRY_BYTES = 8 * Long.BYTES;

	private static final long NO = 1;

	private static final long YES = 2;

	private final ByteBuffer entries;

	private int present = -1;

	private SampleLog(ByteBuffer entries) {
		this.entries = entries;
	}

	/** Begins a log. */
	static SampleLog create(Path file) {
		return map(file, MapMode.READ_WRITE, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
				StandardOpenOption.WRITE);
	}

	/**
	 * Opens a log that another process may still write to.
	 * @param file the file
	 * @return the log; empty if nobody has begun one
	 */
	public static Optional<SampleLog> open(Path file) {
		try {
			return (Files.exists(file) && Files.size(file) == (long) ENTRIES * ENTRY_BYTES)
					? Optional.of(map(file, MapMode.READ_ONLY, StandardOpenOption.READ)) : Optional.empty();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static SampleLog map(Path file, MapMode mode, StandardOpenOption... options) {
		try (FileChannel channel = FileChannel.open(file, options)) {
			return new SampleLog(channel.map(mode, 0, (long) ENTRIES * ENTRY_BYTES).order(ByteOrder.nativeOrder()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Takes note of an answer. By one thread only. */
	void add(boolean leader, long token, long before, long after) {
		if (this.present >= 0 && get(Field.ANSWER) == (leader ? YES : NO) && get(Field.TOKEN) == token
				&& after - get(Field.LAST_BEFORE) <= CLOSE) {
			set(Field.WIDEST, Math.max(get(Field.WIDEST), after - get(Field.LAST_BEFORE)));
			set(Field.COUNT, get(Field.COUNT) + 1);
			set(Field.LAST_BEFORE, before);
			set(Field.LAST_AFTER, after);
			return;
		}
		this.present++;
		if (this.present == ENTRIES) {
			throw new IllegalStateException("The log of samples is full");
		}
		set(Field.TOKEN, token);
		set(Field.FIRST_BEFORE, before);
		set(Field.FIRST_AFTER, after);
		set(Field.LAST_BEFORE, before);
		set(Field.LAST_AFTER, after);
		set(Field.COUNT, 1);
		set(Field.ANSWER, leader ? YES : NO);
	}

	/**
	 * The answers so far, as those of a process.
	 * @param process the process
	 * @return the answers, the oldest first
	 */
	public List<Answers> answers(String process) {
		List<Answers> answers = new ArrayList<>();
		for (int i = 0; i < ENTRIES; i++) {
			Optional<Answers> answer = answers(process, i);
			if (answer.isEmpty()) {
				break;
			}
			answers.add(answer.get());
		}
		return answers;
	}

	/**
	 * The latest answers.
	 * @param process the process
	 * @return the last entry; empty if there is none yet
	 */
	public Optional<Answers> latest(String process) {
		Optional<Answers> latest = Optional.empty();
		for (this.present = Math.max(0, this.present); this.present < ENTRIES; this.present++) {
			Optional<Answers> next = answers(process, this.present);
			if (next.isEmpty()) {
				break;
			}
			latest = next;
		}
		this.present = Math.max(0, this.present - 1);
		return latest;
	}

	private Optional<Answers> answers(String process, int entry) {
		long answer = get(entry, Field.ANSWER);
		if (answer == 0) {
			return Optional.empty();
		}
		long lastAfter = get(entry, Field.LAST_AFTER);
		// the other way round than they are written; whoever was killed between the two
		// has only got as far as the sample before
		long lastBefore = Math.min(get(entry, Field.LAST_BEFORE), lastAfter);
		return Optional.of(new Answers(process, answer == YES, get(entry, Field.TOKEN),
				new Sample(get(entry, Field.FIRST_BEFORE), get(entry, Field.FIRST_AFTER)),
				new Sample(lastBefore, lastAfter), get(entry, Field.COUNT), get(entry, Field.WIDEST)));
	}

	private long get(Field field) {
		return get(this.present, field);
	}

	private long get(int entry, Field field) {
		return (long) LONGS.getAcquire(this.entries, offset(entry, field));
	}

	private void set(Field field, long value) {
		LONGS.setRelease(this.entries, offset(this.present, field), value);
	}

	private static int offset(int entry, Field field) {
		return entry * ENTRY_BYTES + field.ordinal() * Long.BYTES;
	}

	private enum Field {

		ANSWER, TOKEN, FIRST_BEFORE, FIRST_AFTER, LAST_BEFORE, LAST_AFTER, COUNT, WIDEST

	}

}
