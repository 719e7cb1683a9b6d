package io.leaderelection.redis;

import io.leaderelection.Names;

/**
 * The names that a store uses in Redis. The prefix is the hash tag of all of them, so
 * that on a Cluster one script can serve all elections of a node.
 */
final class RedisKeys {

	private final String tag;

	RedisKeys(String prefix) {
		Names.requireValid("The key prefix", prefix);
		if (prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
			throw new IllegalArgumentException(
					"The key prefix must not contain braces, since it is put in braces itself, but is '%s'"
						.formatted(prefix));
		}
		this.tag = "{" + prefix + "}";
	}

	/** What is known of the whole prefix. */
	String history() {
		return this.tag;
	}

	String record(String election) {
		return this.tag + ":" + election;
	}

	String channel() {
		return this.tag + ":released";
	}

	/** Matches all keys and the channel. */
	String pattern() {
		return this.tag + "*";
	}

}
