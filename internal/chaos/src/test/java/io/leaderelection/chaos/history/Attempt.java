package io.leaderelection.chaos.history;

/**
 * A write that is worth being told of: one that was refused, or that should have been.
 *
 * @param process who wrote
 * @param at when the answer was there
 * @param kind in which position
 * @param token with which token
 * @param outcome what came of it
 */
public record Attempt(String process, long at, Kind kind, long token, Outcome outcome) {

	/**
	 * In which position somebody writes.
	 */
	public enum Kind {

		/** As leader. */
		LEADER("by leaders unaware of their replacement"),

		/** As leader, and stopped between the reading of the token and the write. */
		PAUSED("by leaders stopped during a write"),

		/** As somebody who is told that he has lost the leadership, with its token. */
		FORMER("by former leaders deliberately");

		private final String label;

		Kind(String label) {
			this.label = label;
		}

		/**
		 * The name for people.
		 * @return the label
		 */
		public String label() {
			return this.label;
		}

	}

	/**
	 * What came of a write.
	 */
	public enum Outcome {

		ACCEPTED, REFUSED,

		/** Nobody knows. */
		FAILED

	}

}
