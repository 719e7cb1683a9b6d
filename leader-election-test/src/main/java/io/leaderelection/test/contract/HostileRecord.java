package io.leaderelection.test.contract;

/**
 * What somebody else may have written into the record of an election.
 */
public enum HostileRecord {

	/** Text, where the store expects something that it can read. */
	GARBAGE,

	/**
	 * The token is -1; all else is left as it is. Without a record: a free one with that
	 * token.
	 */
	NEGATIVE_TOKEN,

	/**
	 * The token is {@link Long#MAX_VALUE}; all else is left as it is. Without a record: a
	 * free one with that token.
	 */
	HIGHEST_TOKEN,

	/**
	 * The holder is somebody of whom no store has heard, for a minute from now on. The
	 * token is left as it is, or 1 without a record.
	 */
	OTHER_OWNER,

	/** The duration of the lease is {@code nan}; all else is left as it is. */
	DURATION_NAN("nan"),

	/** The duration of the lease is {@code inf}; all else is left as it is. */
	DURATION_INFINITE("inf"),

	/** The duration of the lease is a hexadecimal number; all else is left as it is. */
	DURATION_HEXADECIMAL("0xfffff"),

	/** The duration of the lease is {@code 0.5}; all else is left as it is. */
	DURATION_FRACTION("0.5"),

	/** The duration of the lease has too many digits; all else is left as it is. */
	DURATION_OVERFLOW("99999999999999999999999999"),

	/**
	 * The end of the lease is {@code nan}; all else is left as it is. A store that keeps
	 * no end cannot plant it.
	 */
	END_NAN("nan"),

	/**
	 * The end of the lease is a hexadecimal number in the past; all else is left as it
	 * is. A store that keeps no end cannot plant it.
	 */
	END_HEXADECIMAL("0x1"),

	/**
	 * The end of the lease has too many digits; all else is left as it is. A store that
	 * keeps no end cannot plant it.
	 */
	END_OVERFLOW("99999999999999999999999999"),

	/** The token is a hexadecimal number; all else is left as it is. */
	TOKEN_HEXADECIMAL("0x10"),

	/** The token has too many digits; all else is left as it is. */
	TOKEN_OVERFLOW("99999999999999999999999999"),

	/**
	 * As {@link #OTHER_OWNER}, and {@link #text()}, with control characters, is the node
	 * id.
	 */
	OWNER_WITH_CONTROL_CHARACTERS("stranger\r\n\u001b[31mERROR");

	private final String text;

	HostileRecord() {
		this("");
	}

	HostileRecord(String text) {
		this.text = text;
	}

	/**
	 * What to write into the field that the name begins with.
	 * @return the text, empty if the constant is about more than one field
	 */
	public String text() {
		return this.text;
	}

	/**
	 * Whether it is about the end of the lease.
	 * @return whether {@link #text()} is to be written as end
	 */
	public boolean isEnd() {
		return name().startsWith("END_");
	}

}
