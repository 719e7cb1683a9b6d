package io.leaderelection;

import java.util.Objects;

/**
 * Proof of one leadership: a number that is larger for every later leadership of the same
 * election. It protects a resource only if the resource refuses a token lower than the
 * highest it has seen.
 *
 * @param election the election that the token belongs to
 * @param value the number, greater than zero
 */
public record FencingToken(String election, long value) implements Comparable<FencingToken> {

	public FencingToken {
		Objects.requireNonNull(election, "election");
		if (value <= 0) {
			throw new IllegalArgumentException(
					"A fencing token is greater than zero, but '%s' got %d".formatted(election, value));
		}
	}

	/**
	 * Whether this token belongs to a later leadership than the other one.
	 * @param other a token of the same election
	 * @return {@code true} if this token is the higher one
	 */
	public boolean isNewerThan(FencingToken other) {
		return compareTo(other) > 0;
	}

	/**
	 * Orders the tokens of one election.
	 * @throws IllegalArgumentException if the other token belongs to another election
	 */
	@Override
	public int compareTo(FencingToken other) {
		if (!this.election.equals(other.election)) {
			throw new IllegalArgumentException("Tokens of the elections '%s' and '%s' cannot be compared"
				.formatted(this.election, other.election));
		}
		return Long.compare(this.value, other.value);
	}

	@Override
	public String toString() {
		return this.election + ":" + this.value;
	}

}
