package io.leaderelection;

import java.util.List;

/**
 * Leadership was to be handed to a node that does not stand for the election. Nothing was
 * changed.
 */
public class UnknownCandidateException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final String nodeId;

	private final List<String> candidates;

	public UnknownCandidateException(String election, String nodeId, List<String> candidates) {
		super("'%s' does not stand for '%s'; known candidates: %s".formatted(Names.printable(nodeId), election,
				candidates.isEmpty() ? "none" : Names.printable(String.join(", ", candidates))));
		this.nodeId = nodeId;
		this.candidates = List.copyOf(candidates);
	}

	/**
	 * The node that was asked for.
	 * @return its id
	 */
	public String nodeId() {
		return this.nodeId;
	}

	/**
	 * The nodes that stand by.
	 * @return their ids
	 */
	public List<String> candidates() {
		return this.candidates;
	}

}
