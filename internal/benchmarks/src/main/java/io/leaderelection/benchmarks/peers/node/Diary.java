package io.leaderelection.benchmarks.peers.node;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Says on standard output what happens to the first election of this node. The driver
 * listens.
 */
final class Diary {

	private Diary() {
	}

	static void gained(int election) {
		if (election == 0) {
			say("GAINED", 0);
		}
	}

	static void say(String what, long number) {
		say(what, number, now());
	}

	static void say(String what, long number, long micros) {
		System.out.println("@ %s %d %d".formatted(what, number, micros));
	}

	static long now() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

}
