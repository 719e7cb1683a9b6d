package io.leaderelection.redis;

import java.util.List;

import io.leaderelection.Names;

/**
 * Where a fence keeps the highest token of an election: in the slot of what it stands
 * before, since on a Cluster a script reaches one slot only.
 */
final class FenceKeys {

	private final String prefix;

	FenceKeys(String prefix) {
		Names.requireValid("The key prefix", prefix);
		if (prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
			throw new IllegalArgumentException(
					"The key prefix must not contain braces, since tags are put behind it, but is '%s'"
						.formatted(prefix));
		}
		this.prefix = prefix;
	}

	/** The key for what is no key in Redis. */
	String of(String election) {
		return of(election, this.prefix);
	}

	/** The key that belongs to these keys, which share a slot. */
	String of(String election, List<String> keys) {
		if (keys.isEmpty()) {
			throw new IllegalArgumentException("A fenced operation needs a key");
		}
		String tag = tag(keys.get(0));
		for (String key : keys) {
			if (!tag(key).equals(tag)) {
				throw new IllegalArgumentException(
						"'%s' and '%s' have no fence in common: give them the same hash tag, as in '{jobs}:1' and '{jobs}:2'"
							.formatted(keys.get(0), key));
			}
		}
		if (tag.indexOf('}') >= 0) {
			throw new IllegalArgumentException(
					"'%s' cannot be fenced, since nothing else can share its slot: give it a hash tag, as in '{jobs}:1'"
						.formatted(keys.get(0)));
		}
		return of(election, tag);
	}

	private String of(String election, String tag) {
		return this.prefix + "-fence:{" + tag + "}:" + election;
	}

	/**
	 * What Redis takes the slot from: the first braces with something in them, or all.
	 */
	static String tag(String key) {
		int open = key.indexOf('{');
		int close = (open >= 0) ? key.indexOf('}', open + 1) : -1;
		return (close > open + 1) ? key.substring(open + 1, close) : key;
	}

}
