package io.leaderelection.crac;

import java.util.ArrayList;
import java.util.List;

/**
 * Keeps those who want to be told of checkpoints.
 *
 * @param <R> their type
 */
public class Context<R extends Resource> {

	private final List<R> resources = new ArrayList<>();

	public void register(R resource) {
		this.resources.add(resource);
	}

	/** The last that came is the first to be told. */
	void beforeCheckpoint() throws Exception {
		for (int i = this.resources.size() - 1; i >= 0; i--) {
			this.resources.get(i).beforeCheckpoint(this);
		}
	}

	void afterRestore() throws Exception {
		for (R resource : this.resources) {
			resource.afterRestore(this);
		}
	}

}
