package io.leaderelection.web;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaderelection.FencingToken;
import io.leaderelection.Names;

/**
 * How a token is written in the header of a request: the name of the election, a colon,
 * and the number, as in {@code reports:1794808126341388}. Of the name, letters and digits
 * of ASCII and {@code - . _ ~} stand for themselves; every other byte of its UTF-8 form
 * is a percent sign and two upper-case hexadecimal digits. Each token has exactly one
 * such form, and nothing else is read.
 */
public final class TokenHeader {

	/** What the header is called unless configured otherwise. */
	public static final String DEFAULT_NAME = "Fencing-Token";

	/** All characters of the longest name at three bytes each, a colon, 19 digits. */
	private static final int MAX_LENGTH = Names.MAX_LENGTH * 9 + 20;

	private static final String FORM = "it must be the name of the election, percent-encoded, "
			+ "a colon and a number greater than zero, as in reports:42";

	private static final Pattern TOKEN = Pattern
		.compile("(?<election>(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})++):(?<value>[1-9][0-9]{0,18})");

	private TokenHeader() {
	}

	/**
	 * Writes a token for the header.
	 * @param token the token
	 * @return the value of the header, printable ASCII without spaces
	 */
	public static String format(FencingToken token) {
		return encode(token.election()) + ":" + token.value();
	}

	/**
	 * Reads a token from the header.
	 * @param value the value of the header
	 * @return the token
	 * @throws CallerTokenException if {@link #format} does not write any token like this
	 */
	public static FencingToken parse(String value) {
		if (value.length() > MAX_LENGTH) {
			throw CallerTokenException.malformed("it has more than %d characters".formatted(MAX_LENGTH));
		}
		Matcher matcher = TOKEN.matcher(value);
		if (!matcher.matches()) {
			throw CallerTokenException.malformed(FORM);
		}
		String encoded = matcher.group("election");
		String election = decode(encoded);
		if (!encode(election).equals(encoded)) {
			throw CallerTokenException.malformed("a character is percent-encoded that must stand for itself");
		}
		return new FencingToken(election, number(matcher.group("value")));
	}

	private static long number(String digits) {
		try {
			return Long.parseLong(digits);
		}
		catch (NumberFormatException ex) {
			throw CallerTokenException.malformed("its number is greater than %d".formatted(Long.MAX_VALUE));
		}
	}

	private static String encode(String election) {
		StringBuilder encoded = new StringBuilder(election.length());
		for (byte octet : election.getBytes(StandardCharsets.UTF_8)) {
			char character = (char) (octet & 0xff);
			if (standsForItself(character)) {
				encoded.append(character);
			}
			else {
				encoded.append('%')
					.append(Character.toUpperCase(Character.forDigit(character >> 4, 16)))
					.append(Character.toUpperCase(Character.forDigit(character & 0xf, 16)));
			}
		}
		return encoded.toString();
	}

	private static boolean standsForItself(char character) {
		return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
				|| (character >= '0' && character <= '9') || "-._~".indexOf(character) >= 0;
	}

	private static String decode(String encoded) {
		ByteBuffer octets = ByteBuffer.allocate(encoded.length());
		for (int i = 0; i < encoded.length(); i++) {
			if (encoded.charAt(i) == '%') {
				octets.put((byte) Integer.parseInt(encoded, i + 1, i + 3, 16));
				i += 2;
			}
			else {
				octets.put((byte) encoded.charAt(i));
			}
		}
		try {
			String election = StandardCharsets.UTF_8.newDecoder().decode(octets.flip()).toString();
			return Names.requireValid("the name of its election", election);
		}
		catch (CharacterCodingException ex) {
			throw CallerTokenException.malformed("the name of its election is not UTF-8");
		}
		catch (IllegalArgumentException ex) {
			throw CallerTokenException.malformed(ex.getMessage());
		}
	}

}
