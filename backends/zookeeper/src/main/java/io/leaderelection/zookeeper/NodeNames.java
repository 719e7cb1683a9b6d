package io.leaderelection.zookeeper;

/**
 * Turns any text into a name that ZooKeeper allows for a node, and back. Letters, digits
 * and a few signs stay as they are, so that people can read them; every other character
 * becomes {@code %} and the four digits of its code.
 */
final class NodeNames {

	private static final String PLAIN_SIGNS = "-_.:@";

	private static final char ESCAPE = '%';

	private static final int DIGITS = 4;

	private NodeNames() {
	}

	static String encode(String text) {
		StringBuilder name = new StringBuilder(text.length());
		// "." and ".." are no names
		boolean onlyDots = text.chars().allMatch((c) -> c == '.');
		for (char c : text.toCharArray()) {
			if (isPlain(c) && !onlyDots) {
				name.append(c);
			}
			else {
				name.append(ESCAPE).append("%04x".formatted((int) c));
			}
		}
		return name.toString();
	}

	/**
	 * Reverts {@link #encode}.
	 * @throws IllegalArgumentException if the name was not made by it
	 */
	static String decode(String name) {
		StringBuilder text = new StringBuilder(name.length());
		for (int i = 0; i < name.length(); i++) {
			char c = name.charAt(i);
			if (c == ESCAPE && i + DIGITS < name.length()) {
				text.append((char) Integer.parseInt(name, i + 1, i + 1 + DIGITS, 16));
				i += DIGITS;
			}
			else if (isPlain(c)) {
				text.append(c);
			}
			else {
				throw new IllegalArgumentException("'%s' is not an encoded name".formatted(name));
			}
		}
		return text.toString();
	}

	private static boolean isPlain(char c) {
		return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
				|| PLAIN_SIGNS.indexOf(c) >= 0;
	}

}
