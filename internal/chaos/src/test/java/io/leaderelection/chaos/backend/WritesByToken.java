package io.leaderelection.chaos.backend;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.leaderelection.chaos.history.Writes;

/**
 * Puts the writes of each token and process together.
 */
final class WritesByToken {

	private final Map<String, Writes> writes = new LinkedHashMap<>();

	void add(String process, long token, long position) {
		this.writes.merge(token + " " + process, new Writes(process, token, position, position, 1),
				(before, next) -> new Writes(process, token, before.first(), position, before.count() + 1));
	}

	List<Writes> toList() {
		return new ArrayList<>(this.writes.values());
	}

}
