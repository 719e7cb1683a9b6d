package io.leaderelection.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * The node of one who stands for an election. Its name says whose it is and in which
 * session, so that a node whose creation was never answered is found again.
 *
 * @param name the node's name
 * @param ownerKey stands for the owner
 * @param session the session that the node lives with
 * @param sequence the place in the queue
 */
record Candidate(String name, String ownerKey, long session, long sequence) {

	static final Comparator<Candidate> IN_LINE = Comparator.comparingLong(Candidate::sequence);

	private static final int KEY_LENGTH = 32;

	private static final int PREFIX_LENGTH = KEY_LENGTH + 1 + 16 + 1;

	static String prefix(Owner owner, long session) {
		return "%s-%016x-".formatted(key(owner), session);
	}

	static String key(Owner owner) {
		String identity = owner.nodeId() + '\n' + owner.incarnation();
		return UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_16)).toString().replace("-", "");
	}

	/** The candidates in line; nodes that somebody else has put there are none. */
	static List<Candidate> inLine(List<String> names) {
		return names.stream().map(Candidate::parse).filter(Objects::nonNull).sorted(IN_LINE).toList();
	}

	private static @Nullable Candidate parse(String name) {
		try {
			return new Candidate(name, name.substring(0, KEY_LENGTH),
					Long.parseUnsignedLong(name, KEY_LENGTH + 1, PREFIX_LENGTH - 1, 16),
					Long.parseLong(name.substring(PREFIX_LENGTH)));
		}
		catch (IndexOutOfBoundsException | NumberFormatException ex) {
			return null;
		}
	}

	boolean isOf(Owner owner) {
		return this.ownerKey.equals(key(owner));
	}

	boolean isOf(Owner owner, long session) {
		return this.session == session && isOf(owner);
	}

}
