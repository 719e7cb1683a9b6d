package io.leaderelection.etcd;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;

import io.etcd.jetcd.ByteSequence;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * What stands at an election's key, as text that people can read too: a lease that is
 * held, reserved for a node, or nobody's.
 *
 * @param token the token of the last leadership
 * @param duration how long record and proof of life have to be seen unchanged before
 * anybody may take the lease
 * @param holder who holds it
 * @param session whose proofs of life count; there is one if there is a holder
 * @param reservedFor the node that it is reserved for
 */
record LeaseRecord(long token, Duration duration, @Nullable Owner holder, @Nullable String session,
		@Nullable String reservedFor) {

	/** Longer than any lease that settings allow. */
	private static final Duration LONGEST = Duration.ofDays(366);

	LeaseRecord {
		if (token <= 0 || token == Long.MAX_VALUE) {
			throw new IllegalArgumentException("No token: " + token);
		}
		if (duration.compareTo(Duration.ZERO) <= 0 || duration.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("No duration of a lease: " + duration);
		}
		if ((holder == null) != (session == null)) {
			throw new IllegalArgumentException("A holder has a session");
		}
	}

	static LeaseRecord held(Lease lease, String session) {
		return new LeaseRecord(lease.token(), lease.duration(), lease.owner(), session, null);
	}

	static LeaseRecord free(Lease lease) {
		return new LeaseRecord(lease.token(), lease.duration(), null, null, null);
	}

	static LeaseRecord reserved(Lease lease, String nodeId, Duration grace) {
		return new LeaseRecord(lease.token(), grace, null, null, nodeId);
	}

	boolean isHeldWith(Lease lease) {
		return this.token == lease.token() && lease.owner().equals(this.holder);
	}

	boolean isForAnybody() {
		return this.holder == null && this.reservedFor == null;
	}

	ByteSequence toBytes() {
		StringBuilder text = new StringBuilder(
				"format=1\ntoken=%d\nduration=%s\n".formatted(this.token, this.duration));
		if (this.holder != null) {
			text.append("holder=").append(Keys.encode(this.holder.nodeId())).append('\n');
			text.append("incarnation=").append(Keys.encode(this.holder.incarnation())).append('\n');
			text.append("session=").append(this.session).append('\n');
		}
		if (this.reservedFor != null) {
			text.append("reserved-for=").append(Keys.encode(this.reservedFor)).append('\n');
		}
		return Keys.bytes(text.toString());
	}

	/**
	 * Reads a record.
	 * @throws IllegalArgumentException if no store has written it
	 */
	static LeaseRecord parse(ByteSequence bytes) {
		Map<String, String> fields = new LinkedHashMap<>();
		for (String line : bytes.toString(StandardCharsets.UTF_8).split("\n")) {
			String[] field = line.split("=", 2);
			fields.put(field[0], (field.length == 2) ? field[1] : "");
		}
		if (!"1".equals(fields.get("format"))) {
			throw new IllegalArgumentException("Not the record of an election");
		}
		String holder = fields.get("holder");
		String reservedFor = fields.get("reserved-for");
		try {
			return new LeaseRecord(Long.parseLong(fields.get("token")),
					Duration.parse(fields.getOrDefault("duration", "")),
					(holder != null)
							? new Owner(Keys.decode(holder), Keys.decode(fields.getOrDefault("incarnation", "")))
							: null,
					fields.get("session"), (reservedFor != null) ? Keys.decode(reservedFor) : null);
		}
		catch (DateTimeParseException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

}
