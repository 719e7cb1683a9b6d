package io.leaderelection.jdbc.sql;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The names of the tables. They become part of statements, so only plain identifiers will
 * do. Internal.
 *
 * @param lease the table of the leases, optionally with its schema; the names of the
 * others follow from it
 */
public record LeaseTables(String lease) {

	public static final String DEFAULT = "LEADER_ELECTION";

	/** Leaves room for the suffixes in the 63 characters that PostgreSQL keeps. */
	private static final int MAX_LENGTH = 53;

	/** What PostgreSQL takes for a channel. */
	private static final int MAX_CHANNEL_LENGTH = 63;

	private static final String PART = "[A-Za-z_][A-Za-z0-9_]{0,%d}";

	private static final Pattern VALID = Pattern
		.compile("(" + PART.formatted(MAX_CHANNEL_LENGTH - 1) + "\\.)?" + PART.formatted(MAX_LENGTH - 1));

	public LeaseTables {
		if (!VALID.matcher(lease).matches()) {
			throw new IllegalArgumentException(("The table name must be a plain identifier of at most %d characters "
					+ "(letters, digits and underscores), optionally after a schema and a dot, but is '%s'")
				.formatted(MAX_LENGTH, lease));
		}
	}

	/** The table of the highest token of each election. */
	public String epoch() {
		return this.lease + "_EPOCH";
	}

	/** The table of those who stand by. */
	public String candidate() {
		return this.lease + "_CANDIDATE";
	}

	/** The channel of the wake-ups. Tables that share one wake each other up, no more. */
	public String channel() {
		String name = this.lease.toLowerCase(Locale.ROOT);
		return name.substring(Math.max(0, name.length() - MAX_CHANNEL_LENGTH));
	}

}
