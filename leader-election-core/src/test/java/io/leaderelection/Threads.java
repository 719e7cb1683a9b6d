package io.leaderelection;

import java.util.List;
import java.util.concurrent.Executor;

/**
 * The threads of ours that live just now.
 */
public final class Threads {

	/**
	 * A thread for each task. The common pool has one for all on two processors, and from
	 * Java 25 on no other is made for a task that blocks it.
	 */
	public static final Executor EACH = (task) -> {
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		thread.start();
	};

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
