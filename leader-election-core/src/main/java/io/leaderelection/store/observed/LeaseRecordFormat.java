package io.leaderelection.store.observed;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.leaderelection.store.Owner;

/**
 * Writes a {@link LeaseRecord} as lines of text that people can read too. Only what was
 * written like that is accepted.
 *
 * @param header the name in the first line, whose value is the version of the format
 * @param separator between the name and the value of a line
 * @param encode writes a name as one line of text
 * @param decode reverts that
 */
public record LeaseRecordFormat(String header, char separator, UnaryOperator<String> encode,
		UnaryOperator<String> decode) {

	private static final String VERSION = "1";

	/**
	 * Writes a record.
	 * @param record the record
	 * @return the text
	 */
	public byte[] write(LeaseRecord record) {
		StringBuilder text = new StringBuilder();
		line(text, this.header, VERSION);
		line(text, "token", Long.toString(record.token()));
		line(text, "duration", record.duration().toString());
		if (record.holder() != null) {
			line(text, "holder", this.encode.apply(record.holder().nodeId()));
			line(text, "incarnation", this.encode.apply(record.holder().incarnation()));
			line(text, "session", record.heartbeat());
		}
		line(text, "reserved-for", (record.reservedFor() != null) ? this.encode.apply(record.reservedFor()) : null);
		return text.toString().getBytes(StandardCharsets.UTF_8);
	}

	private void line(StringBuilder text, String name, @Nullable String value) {
		if (value != null) {
			text.append(name).append(this.separator).append(value).append('\n');
		}
	}

	/**
	 * Reads a record.
	 * @param bytes what was written
	 * @return the record
	 * @throws IllegalArgumentException if it is not the text of a record
	 */
	public LeaseRecord read(byte[] bytes) {
		Map<String, String> lines = new HashMap<>();
		for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
			int end = line.indexOf(this.separator);
			lines.put(line.substring(0, Math.max(end, 0)), line.substring(end + 1));
		}
		if (!VERSION.equals(lines.get(this.header))) {
			throw new IllegalArgumentException("Not the record of an election");
		}
		try {
			long token = Long.parseLong(lines.get("token"));
			if (token == 0) {
				throw new IllegalArgumentException("Not a token: 0");
			}
			String reservedFor = lines.get("reserved-for");
			return new LeaseRecord(token, Duration.parse(lines.getOrDefault("duration", "")), holder(lines),
					lines.get("session"), (reservedFor != null) ? this.decode.apply(reservedFor) : null);
		}
		catch (DateTimeParseException | ArithmeticException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	private @Nullable Owner holder(Map<String, String> lines) {
		String holder = lines.get("holder");
		return (holder != null)
				? new Owner(this.decode.apply(holder), this.decode.apply(lines.getOrDefault("incarnation", ""))) : null;
	}

}
