package io.leaderelection.zookeeper;

import java.util.List;
import java.util.Optional;

import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * What was read of one election. It may be out of date when it arrives; whatever is
 * written on the strength of it is conditioned on the versions in it.
 *
 * @param path the election's node
 * @param stat the state of that node; none if there is no node
 * @param record the record; none if the node has none, or none that can be read
 * @param unreadable whether there is something that no store has written
 * @param candidates who stands, in line
 * @param proof the last proof of life of the holder's session; empty if there is none
 */
record Look(String path, @Nullable Stat stat, @Nullable LeaseRecord record, boolean unreadable,
		List<Candidate> candidates, Optional<Stat> proof) {

	boolean isAbsent() {
		return this.record == null && !this.unreadable;
	}

	int version() {
		return (this.stat != null) ? this.stat.getVersion() : 0;
	}

	Look with(Optional<Stat> proof) {
		return new Look(this.path, this.stat, this.record, this.unreadable, this.candidates, proof);
	}

	/**
	 * Whether this node was seen. An election that was deleted and created again may have
	 * a record of the same version as before, but it does not have the same candidates.
	 * So nothing is written but on the strength of a look that has seen the writer's own
	 * candidate, and on the condition that this candidate is still there.
	 */
	boolean hasSeen(String candidate) {
		return this.candidates.stream().anyMatch((seen) -> pathOf(seen).equals(candidate));
	}

	String pathOf(Candidate candidate) {
		return this.path + "/" + candidate.name();
	}

}
