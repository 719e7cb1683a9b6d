package io.leaderelection.benchmarks.peers;

import java.util.List;

/**
 * Something that is tried with every contestant.
 */
interface Experiment {

	/**
	 * Tries it, and notes what was measured. A contestant that fails does not end the
	 * experiment for the others.
	 * @param contestants with whom
	 * @param bench where, and who notes
	 * @throws Exception if the experiment itself fails
	 */
	void run(List<Contestant> contestants, Bench bench) throws Exception;

}
