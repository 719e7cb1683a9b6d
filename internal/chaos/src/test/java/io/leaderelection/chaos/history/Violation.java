package io.leaderelection.chaos.history;

/**
 * Something that must not happen, and did.
 *
 * @param kind what
 * @param at when
 * @param what the particulars
 */
public record Violation(Kind kind, long at, String what) {

	/**
	 * What must not happen.
	 */
	public enum Kind {

		TWO_LEADERS, TOKEN_FELL, LEADERSHIP_REVIVED, STALE_WRITE_ACCEPTED, GAP_UNEXPLAINED, GAP_TOO_LONG, NOT_RECOVERED,
		LEAK,

		/** Not seen enough to say that nothing happened. */
		BLIND

	}

	@Override
	public String toString() {
		return this.kind + ": " + this.what;
	}

}
