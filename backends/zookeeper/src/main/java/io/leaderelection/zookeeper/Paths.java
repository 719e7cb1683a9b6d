package io.leaderelection.zookeeper;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

import io.leaderelection.store.Owner;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;

/**
 * Where the store keeps what:
 *
 * <pre>
 * root/elections/{election}               the record, stays for ever
 * root/elections/{election}/{identity}    created with the record, stays as long
 * root/elections/{election}/{candidate}   a candidate, ephemeral
 * root/sessions/{heartbeat}               each write is a heartbeat; ephemeral
 * </pre>
 *
 * Names are encoded: letters, digits and a few signs are kept, and each other character
 * becomes {@code %} and the four digits of its code.
 */
final class Paths {

	private static final String PLAIN_SIGNS = "-_.:@";

	private static final char ESCAPE = '%';

	private static final int DIGITS = 4;

	private static final Pattern HEARTBEAT = Pattern.compile("[0-9a-f]{16}");

	private static final String IDENTITY = "id-";

	private final String root;

	Paths(String namespace, String rootPath) {
		PathUtils.validatePath(rootPath);
		String below = rootPath.equals("/") ? "" : rootPath;
		this.root = namespace.isEmpty() ? below : "/" + namespace + below;
	}

	String elections() {
		return this.root + "/elections";
	}

	String record(String election) {
		return elections() + "/" + encode(election);
	}

	String identity(String election, String identity) {
		return record(election) + "/" + identity;
	}

	String candidate(String election, Candidate candidate) {
		return record(election) + "/" + candidate.name();
	}

	static boolean isHeartbeat(@Nullable String id) {
		return id != null && HEARTBEAT.matcher(id).matches();
	}

	String heartbeat(String id) {
		return this.root + "/sessions/" + id;
	}

	/** The election of a record, or of a node below it; empty if no store wrote it. */
	Optional<String> electionOf(String path) {
		String[] names = path.substring(Math.min(elections().length(), path.length())).split("/");
		try {
			return (names.length > 1) ? Optional.of(decode(names[1])) : Optional.empty();
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	static String name(String path) {
		return path.substring(path.lastIndexOf('/') + 1);
	}

	/** All nodes above, from the top. */
	static List<String> parents(String path) {
		List<String> parents = new ArrayList<>();
		for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
			parents.add(path.substring(0, slash));
		}
		return parents;
	}

	static String newHeartbeat() {
		return "%016x".formatted(UUID.randomUUID().getLeastSignificantBits());
	}

	/** An identity that no record had before. */
	static String newIdentity() {
		return IDENTITY + UUID.randomUUID();
	}

	static Optional<String> identity(List<String> children) {
		return children.stream().filter((child) -> child.startsWith(IDENTITY)).min(Comparator.naturalOrder());
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

	/**
	 * A registered candidate. Its name contains all there is to know, so that one whose
	 * registration was not answered can be registered again.
	 *
	 * @param owner the node
	 * @param since when it first registered, for the order of candidates only
	 */
	record Candidate(Owner owner, long since) {

		static final Comparator<Candidate> IN_LINE = Comparator.comparingLong(Candidate::since)
			.thenComparing(Candidate::name);

		/** The candidates among the nodes with these names. */
		static List<Candidate> among(List<String> names) {
			return names.stream().map(Candidate::parse).flatMap(Optional::stream).toList();
		}

		String name() {
			return "%s,%s,%d".formatted(encode(this.owner.nodeId()), encode(this.owner.incarnation()), this.since);
		}

		/** Reads a name; empty if it is not that of a candidate. */
		static Optional<Candidate> parse(String name) {
			String[] parts = name.split(",", -1);
			try {
				return (parts.length == 3)
						? Optional
							.of(new Candidate(new Owner(decode(parts[0]), decode(parts[1])), Long.parseLong(parts[2])))
						: Optional.empty();
			}
			catch (IllegalArgumentException ex) {
				return Optional.empty();
			}
		}

	}

}
