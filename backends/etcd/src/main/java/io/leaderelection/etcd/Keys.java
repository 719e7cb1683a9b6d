package io.leaderelection.etcd;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

import io.etcd.jetcd.ByteSequence;
import io.leaderelection.store.Owner;

/**
 * Where the store keeps what:
 *
 * <pre>
 * prefix/candidates/{election}/{owner}   a candidate, ends with the etcd lease of its node
 * prefix/elections/{election}            the record, stays for ever
 * prefix/sessions/{session}              each write is a heartbeat; ends likewise
 * </pre>
 *
 * Records and heartbeats are one range of keys, so that one watch sees both.
 */
final class Keys {

	private final String candidates;

	private final String elections;

	private final String sessions;

	Keys(String prefix) {
		this.candidates = prefix + "/candidates/";
		this.elections = prefix + "/elections/";
		this.sessions = prefix + "/sessions/";
	}

	ByteSequence record(String election) {
		return bytes(this.elections + encode(election));
	}

	ByteSequence heartbeat(String id) {
		return bytes(this.sessions + id);
	}

	/** What all candidates of an election begin with. */
	ByteSequence candidates(String election) {
		return bytes(this.candidates + encode(election) + "/");
	}

	ByteSequence candidate(String election, Owner owner) {
		return bytes(
				this.candidates + encode(election) + "/" + encode(owner.nodeId()) + "/" + encode(owner.incarnation()));
	}

	/** The first key of the range with all records and heartbeats. */
	ByteSequence watchedFrom() {
		return bytes(this.elections);
	}

	/** The first key beyond that range. */
	ByteSequence watchedUntil() {
		return bytes(this.sessions.substring(0, this.sessions.length() - 1) + (char) ('/' + 1));
	}

	/** The election of a record, if the store has written this key. */
	Optional<String> electionOf(ByteSequence key) {
		try {
			// what is encoded in another way is no key of ours, even if it can be decoded
			return below(this.elections, key).map(Keys::decode).filter((election) -> record(election).equals(key));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	Optional<String> heartbeatOf(ByteSequence key) {
		return below(this.sessions, key);
	}

	/** The candidate's owner, if the store has written this key. */
	static Optional<Owner> ownerOf(ByteSequence key) {
		String[] parts = key.toString(StandardCharsets.UTF_8).split("/");
		if (parts.length < 2) {
			return Optional.empty();
		}
		try {
			return Optional.of(new Owner(decode(parts[parts.length - 2]), decode(parts[parts.length - 1])));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	private static Optional<String> below(String parent, ByteSequence key) {
		String text = key.toString(StandardCharsets.UTF_8);
		return text.startsWith(parent) ? Optional.of(text.substring(parent.length())) : Optional.empty();
	}

	static String encode(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	static String decode(String text) {
		return URLDecoder.decode(text, StandardCharsets.UTF_8);
	}

	static ByteSequence bytes(String text) {
		return ByteSequence.from(text, StandardCharsets.UTF_8);
	}

}
