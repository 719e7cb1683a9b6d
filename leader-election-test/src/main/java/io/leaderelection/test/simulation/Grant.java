package io.leaderelection.test.simulation;

/**
 * A leadership that the store granted.
 */
final class Grant {

	final String owner;

	long ends;

	boolean evicted;

	/** When the store last heard from the leader before. */
	final long signBefore;

	/** Whether that was when it gave the lease up. */
	final boolean afterRelease;

	/** When somebody led before. */
	long ledBefore;

	long gainedAt;

	/** Whether nothing has kept the new leader from seeing the end of the old one. */
	boolean seen;

	Grant(String owner, long ends, long signBefore, boolean afterRelease) {
		this.owner = owner;
		this.ends = ends;
		this.signBefore = signBefore;
		this.afterRelease = afterRelease;
	}

}
