package io.leaderelection.metrics;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Registration;
import io.leaderelection.StoreCall;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * The meters of a node in one registry, from {@link #follow} to {@link #close}.
 */
final class NodeMeters {

	private static final String ELECTION = "election";

	private final RegisteredMeters meters;

	private final Map<StoreCall.Kind, Timer> storeCalls = new EnumMap<>(StoreCall.Kind.class);

	private final Map<StoreCall.Kind, Counter> storeFailures = new EnumMap<>(StoreCall.Kind.class);

	private final Map<String, ElectionMeters> elections = new ConcurrentHashMap<>();

	private final Map<String, Counter> staleTokens = new HashMap<>();

	private final List<Registration> registrations = new ArrayList<>();

	private boolean closed;

	NodeMeters(MeterRegistry registry, Tags tags) {
		this.meters = new RegisteredMeters(registry, tags);
		for (StoreCall.Kind kind : StoreCall.Kind.values()) {
			RegisteredMeters ofKind = this.meters.with("operation", Words.of(kind));
			this.storeCalls.put(kind,
					ofKind.timer("store.calls", "Round trips of the calls to the store that were answered"));
			this.storeFailures.put(kind,
					ofKind.counter("store.failures", "failures", "Calls to the store that failed or took too long"));
		}
	}

	void follow(LeaderElections elections) {
		keep(elections.onStoreCall(this::called));
		keep(elections.forEachElector(this::add));
	}

	/** Elections may be made by other threads, also while this is being closed. */
	private synchronized void add(LeaderElector elector) {
		if (!this.closed) {
			RegisteredMeters own = this.meters.with(ELECTION, elector.election());
			ElectionMeters election = new ElectionMeters(elector, own);
			this.elections.put(elector.election(), election);
			staleTokens(elector.election());
			this.registrations.add(elector.addListener(election));
		}
	}

	private void called(StoreCall call) {
		if (call.failure().isPresent()) {
			this.storeFailures.get(call.kind()).increment();
		}
		else {
			this.storeCalls.get(call.kind()).record(call.took());
		}
	}

	void count(String election, Outcome outcome, long nanos) {
		ElectionMeters known = this.elections.get(election);
		if (known != null) {
			known.count(outcome, nanos);
		}
	}

	/** Also of an election that this node does not stand for: it may have done so. */
	synchronized void refused(String election) {
		if (!this.closed) {
			staleTokens(election).increment();
		}
	}

	private Counter staleTokens(String election) {
		return this.staleTokens.computeIfAbsent(election, (name) -> this.meters.with(ELECTION, name)
			.counter("stale.tokens", "tokens", "Fencing tokens that were refused to this node, being stale"));
	}

	private synchronized void keep(Registration registration) {
		if (this.closed) {
			registration.close();
		}
		else {
			this.registrations.add(registration);
		}
	}

	synchronized void close() {
		this.closed = true;
		this.registrations.forEach(Registration::close);
		this.elections.clear();
		this.meters.removeAll();
	}

}
