package io.leaderelection;

import java.nio.charset.StandardCharsets;

/**
 * What may name an election or a node: anything printable of a length that every store
 * can keep.
 */
public final class Names {

	/** The longest name, in characters. */
	public static final int MAX_LENGTH = 200;

	private Names() {
	}

	/**
	 * Refuses a name that a store or a log could not show as it is.
	 * @param what what is named, for the message
	 * @param name the name
	 * @return the name
	 * @throws IllegalArgumentException if it is blank, longer than {@value #MAX_LENGTH}
	 * characters, or contains a control character or half a surrogate pair
	 */
	public static String requireValid(String what, String name) {
		if (name.isBlank()) {
			throw new IllegalArgumentException("%s must not be blank".formatted(what));
		}
		if (name.length() > MAX_LENGTH) {
			throw new IllegalArgumentException(
					"%s must have at most %d characters, but has %d".formatted(what, MAX_LENGTH, name.length()));
		}
		if (name.chars().anyMatch(Character::isISOControl)) {
			throw new IllegalArgumentException("%s must not contain control characters".formatted(what));
		}
		if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
			throw new IllegalArgumentException("%s must not contain half a surrogate pair".formatted(what));
		}
		return name;
	}

	/**
	 * A name that somebody else has chosen, as it may stand in a log or a message.
	 * @param name the name, of any kind
	 * @return the name, with control characters written as in Java
	 */
	public static String printable(String name) {
		if (name.chars().noneMatch(Character::isISOControl)) {
			return name;
		}
		StringBuilder printable = new StringBuilder();
		name.chars().forEach((c) -> printable.append(Character.isISOControl(c) ? "\\u%04x".formatted(c) : (char) c));
		return printable.toString();
	}

}
