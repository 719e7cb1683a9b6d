package io.leaderelection.benchmarks.peers.node;

import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;

/**
 * Spring Integration's candidate, which notes when it is granted leadership.
 */
final class NotedCandidate extends DefaultCandidate {

	private final int election;

	NotedCandidate(String id, int election) {
		super(id, NodeSettings.name(election));
		this.election = election;
	}

	@Override
	public void onGranted(Context context) {
		super.onGranted(context);
		Diary.gained(this.election);
	}

}
