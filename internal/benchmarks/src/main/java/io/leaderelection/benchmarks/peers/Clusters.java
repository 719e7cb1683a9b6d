package io.leaderelection.benchmarks.peers;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.leaderelection.benchmarks.peers.Bench.Step;
import io.leaderelection.benchmarks.peers.Cluster.Shape;

/**
 * A cluster of every contestant, all at the same time, since most of the time all of them
 * wait. One that fails is closed and left out from then on.
 */
final class Clusters implements AutoCloseable {

	private final Bench bench;

	private final List<Cluster> clusters = new CopyOnWriteArrayList<>();

	Clusters(Bench bench, List<Contestant> contestants, Shape shape) throws InterruptedException {
		this.bench = bench;
		bench.each(contestants, contestants.size(), (contestant) -> this.clusters.add(new Cluster(contestant, shape)));
	}

	/** Starts all nodes, and waits until somebody leads everywhere. */
	void fill() throws InterruptedException {
		atOnce(Cluster::fill);
		inTurn(Cluster::leader);
	}

	/** Waits until all nodes have come to rest. */
	void settle() throws InterruptedException {
		atOnce(Cluster::settle);
	}

	/** One after the other, so that none disturbs another. */
	void inTurn(Step<Cluster> step) throws InterruptedException {
		each(1, step);
	}

	void atOnce(Step<Cluster> step) throws InterruptedException {
		each(Math.max(1, this.clusters.size()), step);
	}

	private void each(int atOnce, Step<Cluster> step) throws InterruptedException {
		this.bench.each(this.clusters, atOnce, (cluster) -> {
			try {
				step.take(cluster);
			}
			catch (Exception ex) {
				this.clusters.remove(cluster);
				cluster.close();
				throw ex;
			}
		}, Cluster::contestant);
	}

	@Override
	public void close() throws IOException {
		for (Cluster cluster : this.clusters) {
			cluster.close();
		}
	}

}
