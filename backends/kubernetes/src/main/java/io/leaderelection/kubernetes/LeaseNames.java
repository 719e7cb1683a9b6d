package io.leaderelection.kubernetes;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * What the Leases of elections are called. Kubernetes allows few characters, so a name
 * that has others is made readable and followed by its hash:
 *
 * <pre>
 * prefix                             who stands by
 * prefix.reports                     the election "reports"
 * prefix.monthly-reports.{hash}      the election "Monthly Reports"
 * </pre>
 *
 * Neither a prefix nor the name of an election that is kept as it is has a dot, so that
 * no two elections have one Lease.
 */
final class LeaseNames {

	private static final Pattern PLAIN = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

	private static final int LONGEST = 63;

	private static final int READABLE = 40;

	private static final int HASH = 20;

	private final String prefix;

	private final Map<String, String> elections = new ConcurrentHashMap<>();

	LeaseNames(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * Whether Kubernetes takes this for a part of a name and for the value of a label.
	 */
	static boolean isPlain(String name) {
		return name.length() <= LONGEST && PLAIN.matcher(name).matches();
	}

	String prefix() {
		return this.prefix;
	}

	/** The name of the Lease that elections of this prefix share. */
	String candidates() {
		return this.prefix;
	}

	String of(String election) {
		String name = "%s.%s".formatted(this.prefix, isPlain(election) ? election : encoded(election));
		this.elections.putIfAbsent(name, election);
		return name;
	}

	/** The election that a Lease is of, if this node has ever asked for it. */
	Optional<String> electionOf(String name) {
		return Optional.ofNullable(this.elections.get(name));
	}

	private static String encoded(String election) {
		String readable = election.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
		readable = readable.substring(0, Math.min(READABLE, readable.length())).replaceAll("^-|-$", "");
		return "%s.%s".formatted(readable.isEmpty() ? "x" : readable, hash(election));
	}

	static String hash(String text) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(hash).substring(0, HASH);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
