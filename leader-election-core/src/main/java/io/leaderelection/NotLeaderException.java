package io.leaderelection;

import java.util.Optional;

/**
 * The work was not begun, since this node does not lead.
 */
public class NotLeaderException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String election;

	private final transient Optional<Leader> leader;

	public NotLeaderException(String election, Optional<Leader> leader) {
		super("This node does not lead '%s'; %s".formatted(election,
				leader.map((known) -> "the leader is '" + Names.printable(known.nodeId()) + "'")
					.orElse("no leader is known")));
		this.election = election;
		this.leader = leader;
	}

	/**
	 * The election that this node does not lead.
	 * @return its name
	 */
	public String election() {
		return this.election;
	}

	/**
	 * Who leads, as far as this node knows.
	 * @return the leader
	 */
	public Optional<Leader> leader() {
		return (this.leader != null) ? this.leader : Optional.empty();
	}

}
