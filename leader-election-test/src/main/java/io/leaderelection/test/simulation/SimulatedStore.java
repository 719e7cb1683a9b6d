package io.leaderelection.test.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.leaderelection.FencingToken;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.memory.InMemoryLeaseStore;

/**
 * The store's server: its records, its clock, and whether it answers.
 */
final class SimulatedStore {

	private final World world;

	private final SimulatedClock clock;

	private final InMemoryLeaseStore records;

	/** In place of the records in memory, if the store has no clock. */
	private final @Nullable RecordServer recordServer;

	private final List<String> elections;

	private final List<Runnable> waiting = new ArrayList<>();

	private boolean down;

	private boolean paused;

	private long lastUpset = Long.MIN_VALUE / 2;

	SimulatedStore(World world, double rate, List<String> elections, Tampering tampering,
			@Nullable RecordServer recordServer) {
		this.recordServer = recordServer;
		this.world = world;
		this.elections = elections;
		this.clock = new SimulatedClock(world, rate, 0);
		this.records = new InMemoryLeaseStore(this.clock::nanos, tampering.tokenClock(new WallClock()));
	}

	InMemoryLeaseStore records() {
		return this.records;
	}

	@Nullable RecordServer recordServer() {
		return this.recordServer;
	}

	Optional<LeaseView> read(String election) {
		return (this.recordServer != null) ? this.recordServer.view(election) : this.records.read(election);
	}

	SimulatedClock clock() {
		return this.clock;
	}

	boolean isDown() {
		return this.down;
	}

	boolean isTroubled() {
		return this.down || this.paused;
	}

	/** When the store last lost or changed a record by itself. */
	long lastUpset() {
		return this.lastUpset;
	}

	/** Handles a request now, or when the store goes on. */
	void handle(Runnable request) {
		if (this.paused) {
			this.waiting.add(request);
		}
		else {
			request.run();
		}
	}

	void setDown(boolean down) {
		this.down = down;
	}

	void pause() {
		this.paused = true;
	}

	void resume() {
		this.paused = false;
		List<Runnable> requests = List.copyOf(this.waiting);
		this.waiting.clear();
		requests.forEach((request) -> this.world.in(0, request));
	}

	void loseData() {
		this.lastUpset = this.world.now();
		this.records.clear();
	}

	void evict(String election) {
		this.lastUpset = this.world.now();
		if (this.recordServer != null) {
			this.recordServer.evict(election);
		}
		else {
			this.records.evict(election);
		}
	}

	/** The leases of a node, by their tokens. */
	List<FencingToken> tokensOf(Owner owner) {
		List<FencingToken> tokens = new ArrayList<>();
		for (String election : this.elections) {
			this.records.read(election)
				.filter((view) -> view.holder().filter(owner::equals).isPresent())
				.ifPresent((view) -> tokens.add(new FencingToken(election, view.token())));
		}
		return tokens;
	}

	void free(List<FencingToken> tokens) {
		tokens.forEach((token) -> this.records.evict(token.election()));
	}

	void failOver(InMemoryLeaseStore.Snapshot replica, Duration longestLease) {
		this.lastUpset = this.world.now();
		this.records.restore(replica, longestLease);
	}

	private final class WallClock extends Clock {

		@Override
		public Instant instant() {
			return SimulatedStore.this.clock.wallInstant();
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

}
