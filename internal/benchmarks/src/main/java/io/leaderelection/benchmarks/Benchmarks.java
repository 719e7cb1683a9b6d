package io.leaderelection.benchmarks;

import java.util.Arrays;

import io.leaderelection.benchmarks.peers.Peers;

/**
 * What {@code java -jar benchmarks.jar} runs: the comparison with the peers if the first
 * argument is {@code peers}, and otherwise JMH.
 */
public final class Benchmarks {

	private Benchmarks() {
	}

	public static void main(String[] args) throws Exception {
		if (args.length > 0 && args[0].equals("peers")) {
			Peers.main(Arrays.copyOfRange(args, 1, args.length));
		}
		else {
			org.openjdk.jmh.Main.main(args);
		}
	}

}
