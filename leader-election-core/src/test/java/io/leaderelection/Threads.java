package io.leaderelection;

import java.util.List;

/**
 * The threads of ours that live just now.
 */
public final class Threads {

	private Threads() {
	}

	/** The names of all threads that the node has started. */
	public static List<String> of(String nodeId) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("leader-election-") && name.endsWith("(" + nodeId + ")"))
			.sorted()
			.toList();
	}

}
