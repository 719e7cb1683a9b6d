package io.leaderelection.actuate;

import java.util.Collection;
import java.util.List;

import io.leaderelection.Names;

/**
 * An operator's wish that was not carried out; nothing has changed.
 */
class RefusedActionException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private static final int LONGEST_ECHO = 64;

	private final Cause kind;

	private final transient List<String> allowed;

	RefusedActionException(Cause kind, String message, Collection<String> allowed) {
		super(allowed.isEmpty() ? message : "%s; allowed: %s".formatted(message, String.join(", ", allowed)));
		this.kind = kind;
		this.allowed = List.copyOf(allowed);
	}

	/**
	 * Input as it may stand in a message: printable, and not longer than needed to
	 * recognize it.
	 */
	static String echo(String input) {
		boolean tooLong = input.length() > LONGEST_ECHO;
		return Names.printable(tooLong ? input.substring(0, LONGEST_ECHO) + "..." : input);
	}

	Cause kind() {
		return this.kind;
	}

	List<String> allowed() {
		return this.allowed;
	}

	/**
	 * Whose mistake it was.
	 */
	enum Cause {

		/** There is no such election. */
		UNKNOWN_ELECTION,

		/** What was asked for makes no sense. */
		BAD_REQUEST,

		/** Another node would have to be asked. */
		NOT_LEADER,

		/** The store did not answer. */
		STORE_UNREACHABLE

	}

}
