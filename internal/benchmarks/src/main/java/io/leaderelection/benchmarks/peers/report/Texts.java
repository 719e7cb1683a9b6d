package io.leaderelection.benchmarks.peers.report;

/**
 * What the page says besides figures. It says what was done; how it went, the tables say.
 */
final class Texts {

	static final String HEADING = """
			# Comparison with alternatives

			This page compares leader election, guarded calls and resource usage with Curator, Spring Integration, Redisson, fabric8 and ShedLock. The benchmark generates it; do not edit it. All contestants run on the same machine with the same lease. To repeat the benchmark:

			```bash
			internal/benchmarks/run
			```

			To run a part of it, use `--only crash,pause`, `--contestant ours-redis,curator`, `--lease 3s` or `--rounds 5`. `--resume` runs only what is missing, and
			`--help` lists all options. [benchmarks-peers](benchmarks-peers) contains every single value.

			- Every node is a Spring Boot application in its own JVM (`-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx1g`), with only its contestant's libraries on the class path.
			- Every contestant has its own store, on loopback, that does not wait for its disk.
			- Where most of the time is waiting, several contestants run concurrently; where milliseconds count, one runs at a time. Each table states the load of the machine.
			- A dash means that there is no value: the contestant does not have the feature, or failed. It never means zero.
			- If there are several values, the table contains the median, and the minimum and maximum in brackets. `>` marks a value at which the measurement was stopped.
			- Two contestants are level if the median of each lies between the minimum and maximum of the other: the difference may be chance.

			""";

	static final String FAILOVER = """
			Three nodes; the leader receives a signal. Time runs from before the signal is sent until the successor's callback. A clean stop is SIGTERM to an application without and with a web server. It
			tests what Spring closes first, and whether the lock is released before the client is closed. After `kill -9`, the remaining lease has to expire: between two thirds of
			the lease and the whole lease, if it is renewed every third. By chance, the median of twenty may therefore be off by half a second.
			Clean stops were measured with an earlier version, which rehearsed hand-overs after the start (see ADR 23). Without rehearsals, the first one of a process takes about 15 ms longer.
			""";

	static final String TWO_LEADERS = """
			Three nodes call `isLeader()` every five milliseconds. The table contains the time in which two of them returned true, from the first to the last such result.

			- *Woken*: the leader is stopped (SIGSTOP) until another node leads, and then continues.
			- *Cut off*: the network drops all packets of the leader for eight leases, with the default timeouts of the clients.
			- *Lost its data*: FLUSHALL, DELETE of all rows, of all nodes, or of the Lease object, while a node leads.

			A contestant that queries its store for every result (Redisson) cannot contradict the store for long, but blocks until the store responds, which has a column of its own.
			""";

	static final String IDLE = """
			Three nodes with 1, 100 and 1,000 elections, all led. Requests are those that clients send: commands of Redis (by MONITOR), statements of PostgreSQL (by pg_stat_statements, BEGIN and COMMIT included), packets of ZooKeeper (pings included),
			HTTP requests to the API server. This project sends one script or statement for all elections of a node, so the commands inside Redis scripts are listed, too. Counted once, for one lease. If fewer elections are led than there are, the machine
			or the contestant could not keep up, and the rate says little.
			""";

	static final String MANY = """
			One node, which should lead all elections after three leases and five seconds at the latest. Threads are those of the whole application, heap is the heap in use after three collections, both one lease later.
			""";

	static final String ASKING = """
			On the leader, with C2, 2 forks of 5 iterations of 1 s (JMH). Reading a flag takes a nanosecond and returns what was true when it was set. This project compares two clocks with a deadline, which takes two clock reads. Redisson
			sends a request to Redis. fabric8 has no such method.
			""";

	static final String GUARDING = """
			A call of a guarded bean on the leader (JMH, 2 forks of 5 iterations of 1 s). This project sends no request, so the store does not matter, and one row represents all backends. ShedLock acquires and releases a lock in its store for each call.
			It is called without a proxy here; subtract the empty proxy to compare the guards.
			""";

	private Texts() {
	}

}
