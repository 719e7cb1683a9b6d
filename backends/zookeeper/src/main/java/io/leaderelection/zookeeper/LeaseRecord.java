package io.leaderelection.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;

import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;

/**
 * What stands in an election's node: lines of text, for people too. No node, or one
 * without text, means that there is no record.
 */
sealed interface LeaseRecord {

	/** Longer than any lease that settings allow. */
	Duration LONGEST = Duration.ofDays(366);

	long token();

	/** How long the record has to stay unchanged before anybody may take the lease. */
	Duration duration();

	/**
	 * Nobody's.
	 *
	 * @param token the token of the last leadership
	 * @param duration how long its lease lasted
	 */
	record Free(long token, Duration duration) implements LeaseRecord {
	}

	/**
	 * Somebody's.
	 *
	 * @param owner the holder
	 * @param session whose proofs of life count
	 * @param token the token
	 * @param duration how long the lease lasts from each proof of life
	 */
	record Held(Owner owner, long session, long token, Duration duration) implements LeaseRecord {

		boolean isWith(Lease lease) {
			return this.token == lease.token() && this.owner.equals(lease.owner());
		}

	}

	/**
	 * Reserved for a node.
	 *
	 * @param nodeId the node
	 * @param token the token of the last leadership
	 * @param duration for how long
	 */
	record Reserved(String nodeId, long token, Duration duration) implements LeaseRecord {
	}

	default byte[] toBytes() {
		StringBuilder text = new StringBuilder("leader-election 1\n");
		text.append("token ").append(token()).append('\n');
		text.append("duration ").append(duration()).append('\n');
		if (this instanceof Held held) {
			text.append("holder ").append(NodeNames.encode(held.owner.nodeId())).append('\n');
			text.append("incarnation ").append(NodeNames.encode(held.owner.incarnation())).append('\n');
			text.append("session ").append("%016x".formatted(held.session)).append('\n');
		}
		else if (this instanceof Reserved reserved) {
			text.append("reserved-for ").append(NodeNames.encode(reserved.nodeId)).append('\n');
		}
		return text.toString().getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Reads a record.
	 * @throws IllegalArgumentException if no store has written it
	 */
	static LeaseRecord parse(byte[] bytes) {
		Map<String, String> lines = new HashMap<>();
		for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
			int space = line.indexOf(' ');
			lines.put(line.substring(0, Math.max(space, 0)), line.substring(space + 1));
		}
		if (!"1".equals(lines.get("leader-election"))) {
			throw new IllegalArgumentException("Not the record of an election");
		}
		try {
			long token = Long.parseLong(lines.get("token"));
			Duration duration = Duration.parse(lines.getOrDefault("duration", ""));
			if (token <= 0 || token == Long.MAX_VALUE) {
				throw new IllegalArgumentException("A token is greater than zero and less than " + Long.MAX_VALUE);
			}
			if (duration.isNegative() || duration.isZero() || duration.compareTo(LONGEST) > 0) {
				throw new IllegalArgumentException("A duration is greater than zero and at most " + LONGEST);
			}
			if (lines.containsKey("holder")) {
				Owner owner = new Owner(NodeNames.decode(lines.get("holder")),
						NodeNames.decode(lines.getOrDefault("incarnation", "")));
				return new Held(owner, Long.parseUnsignedLong(lines.getOrDefault("session", ""), 16), token, duration);
			}
			if (lines.containsKey("reserved-for")) {
				return new Reserved(NodeNames.decode(lines.get("reserved-for")), token, duration);
			}
			return new Free(token, duration);
		}
		catch (DateTimeParseException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

}
