package io.leaderelection.benchmarks;

import java.time.Duration;

import io.leaderelection.ElectionSettings;
import io.leaderelection.benchmarks.ManyElections.Watched;
import io.leaderelection.benchmarks.TimedStore.Timings;

/**
 * What one run of {@link ManyElections} showed.
 *
 * @param settings of every election
 * @param nodes how many nodes
 * @param elections how many elections each
 * @param toLead how long the first node took to lead all, listeners told
 * @param led how many it led at the end of the watch
 * @param ledTwice how many another node led then
 * @param losses how many leaderships it lost before
 * @param timings its calls to the store, from the start to the end of the watch
 * @param looks how many calls the other node made in its time
 * @param watched the watch
 * @param mostThreads the most threads at a time, of all nodes
 * @param threads the threads at the end of the watch, of all nodes
 * @param heapBefore the heap in use before the elections were made, in bytes
 * @param heap the heap in use at the end of the watch
 * @param toHandOver how long it took to stop the first node, and the other one to lead
 */
record Figures(ElectionSettings settings, int nodes, int elections, Duration toLead, int led, int ledTwice, int losses,
		Timings timings, int looks, Watched watched, int mostThreads, int threads, long heapBefore, long heap,
		Duration toHandOver) {

	boolean allLed() {
		return this.led == this.elections && this.ledTwice == 0 && this.losses == 0;
	}

	Duration tolerance() {
		return this.settings.leaseDuration().dividedBy(20);
	}

	double onTime() {
		return this.timings.shareWithin(tolerance());
	}

	double perRenewInterval(int calls) {
		return calls * (double) this.settings.renewInterval().toNanos() / this.watched.time().toNanos();
	}

	double cores() {
		return this.watched.cpuTime().toNanos() / (double) this.watched.time().toNanos();
	}

}
