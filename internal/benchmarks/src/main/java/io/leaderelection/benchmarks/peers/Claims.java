package io.leaderelection.benchmarks.peers;

import java.util.ArrayList;
import java.util.List;

/**
 * When nodes called themselves leader.
 */
final class Claims {

	private Claims() {
	}

	/**
	 * For how long two nodes or more called themselves leader at once.
	 * @param nodes the claims of each node, in their order
	 * @param from from when on to look, in microseconds
	 * @param until until when
	 * @return the time, in microseconds
	 */
	static long overlap(List<List<Claim>> nodes, long from, long until) {
		List<Edge> edges = new ArrayList<>();
		for (List<Claim> node : nodes) {
			for (Claim claim : node) {
				long begin = Math.max(claim.from(), from);
				long end = Math.min(claim.until(), until);
				if (begin < end) {
					edges.add(new Edge(begin, 1));
					edges.add(new Edge(end, -1));
				}
			}
		}
		edges.sort((one, other) -> Long.compare(one.at, other.at));
		long overlap = 0;
		int claiming = 0;
		long before = from;
		for (Edge edge : edges) {
			overlap += (claiming > 1) ? edge.at - before : 0;
			claiming += edge.change;
			before = edge.at;
		}
		return overlap;
	}

	/**
	 * A time during which a node answered that it leads.
	 *
	 * @param from the first such answer, in microseconds
	 * @param until the last one; in the far future if there was no other since
	 */
	record Claim(long from, long until) {
	}

	private record Edge(long at, int change) {
	}

}
