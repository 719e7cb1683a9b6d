package io.leaderelection.benchmarks.peers.report;

/**
 * What the page says besides figures. It says what was done; how it went, the tables say.
 */
final class Texts {

	static final String HEADING = """
			# Beside the peers

			Written by the run itself; do not edit. The same machine and the same lease for all; when it was measured, and beside which load, stands with every table:

			```bash
			internal/benchmarks/run
			```

			Parts of it: `--only crash,pause`, `--contestant ours-redis,curator`, `--lease 3s`, `--rounds 5`; `--resume` goes on with what is missing, and
			`--help` lists the rest. Every single value is in [benchmarks-peers](benchmarks-peers).

			- Every node is a Spring Boot application in a JVM of its own (`-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx1g`), with its contestant's libraries alone on the class path. Every contestant has a store of its
			  own, on loopback, that does not wait for its disk. Where most of the time is waiting, several contestants run at once; where milliseconds count, one acts at a time. The load of the machine stands with every table.
			- A dash means that there is nothing to measure: the contestant has no such thing, or failed. It never means zero.
			- Where there are several values, the table has the median, and the lowest and the highest in brackets. `>` is a value that nobody waited for.
			- Two are level if the median of each lies between the lowest and the highest of the other: the difference may be chance then.

			""";

	static final String FAILOVER = """
			Three nodes; the leader gets a signal. Time runs from before the signal is sent until the successor's own callback says that it leads. A clean stop is SIGTERM to an application without and with a web server; it
			tests what Spring closes first, and whether the lock is given back before the client is gone. After `kill -9` nobody gives anything back, so what is left of the lease has to pass, which is between two thirds of
			it and all of it where it is renewed every third: by chance, the median of twenty may then be half a second off.
			Clean stops were measured with an earlier version, which rehearsed hand-overs after the start (see ADR 150); without that, the first one of a process takes about 15 ms longer.
			""";

	static final String TWO_LEADERS = """
			Three nodes ask every five milliseconds whether they lead; counted is the time in which two of them were answered yes, from the first such answer to the last. *Woken*: the leader is stopped (SIGSTOP) until another one leads, and goes on. *Cut off*: the
			network of the leader swallows everything for eight leases, with the clients' timeouts as they are by default. *Lost its data*: FLUSHALL, DELETE of all rows, of all nodes, or of the Lease object, under a
			leader. A contestant that asks its store for every answer (Redisson) cannot claim for long what the store does not say, and pays with the wait for an answer, which has a column of its own.
			""";

	static final String IDLE = """
			Three nodes, 1, 100 and 1,000 elections, all led. Requests are what clients send: commands of Redis (by MONITOR), statements of PostgreSQL (by pg_stat_statements, BEGIN and COMMIT included), packets of ZooKeeper (pings included),
			HTTP requests to the API server. One of ours is a script or a statement for all elections of a node, so what it does inside of Redis is shown too. Counted for one lease, once. Where fewer are led than there are elections, the machine,
			or the contestant, could not keep up, and the rate says little.
			""";

	static final String MANY = """
			One node alone, which should lead everything after three leases and five seconds at the latest. Threads are those of the whole application, heap is what is in use after three collections, both one lease later.
			""";

	static final String ASKING = """
			On the leader, C2 and all, 2 forks of 5 iterations of 1 s (JMH). A flag costs a nanosecond and says what somebody believed when it was set; ours compares two clocks with a deadline, which takes two clock reads; Redisson
			asks Redis. fabric8 has nothing to ask.
			""";

	static final String GUARDING = """
			A call of a guarded bean on the leader (JMH, 2 forks of 5 iterations of 1 s): ours asks nobody, so the store does not matter and one row stands for all. ShedLock takes and gives back a lock in its store for each call,
			and is called without a proxy here, so that the guards compare without the empty one.
			""";

	private Texts() {
	}

}
