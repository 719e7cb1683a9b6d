package io.leaderelection.store;

import java.util.Objects;

import io.leaderelection.Names;

/**
 * Whose a lease is: a node in one run of its process. The node id alone proves nothing,
 * since two processes may be given the same.
 *
 * @param nodeId the node, for people
 * @param incarnation the run of its process, unique
 */
public record Owner(String nodeId, String incarnation) {

	public Owner {
		Objects.requireNonNull(nodeId, "nodeId");
		Objects.requireNonNull(incarnation, "incarnation");
	}

	@Override
	public String toString() {
		return Names.printable(this.nodeId + "#" + this.incarnation);
	}

}
