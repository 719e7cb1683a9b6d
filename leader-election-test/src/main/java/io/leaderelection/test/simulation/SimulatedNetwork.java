package io.leaderelection.test.simulation;

import java.util.List;
import java.util.function.Function;

import io.leaderelection.FencingToken;
import io.leaderelection.engine.NodeClock;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.engine.StoreAccess;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * The way of one process to the store and back. Messages are lost, late, doubled, and
 * overtake each other.
 */
final class SimulatedNetwork implements StoreAccess {

	private static final Call NOT_ABANDONED = () -> {
	};

	private final World world;

	private final Weather weather;

	private final SimulatedStore server;

	private final SimulatedNode node;

	private final SimulatedProcess process;

	private final NodeClock clock;

	private final RefereedStore store;

	private final Tampering tampering;

	private @Nullable WakeUps wakeUps;

	SimulatedNetwork(World world, Weather weather, SimulatedStore server, SimulatedNode node, SimulatedProcess process,
			NodeClock clock, RefereedStore store, Tampering tampering) {
		this.world = world;
		this.weather = weather;
		this.server = server;
		this.node = node;
		this.process = process;
		this.clock = clock;
		this.store = store;
		this.tampering = tampering;
	}

	@Override
	public <R> Call submit(Operation operation, Function<LeaseStore, R> call, Answer<R> answer) {
		Message<R> message = new Message<>(operation, call, answer, this.clock.now());
		travel(message::arrive, message::refuse);
		if (this.weather.doublesMessage() && operation != Operation.WATCH && operation != Operation.UNWATCH) {
			travel(message::arriveAgain, () -> {
			});
		}
		// what is on its way cannot be called back
		return NOT_ABANDONED;
	}

	/** Hints travel as other messages do, and are as easily lost. */
	WakeUps overNetwork(WakeUps untampered) {
		WakeUps wakeUps = this.tampering.wakeUps(untampered, this.clock);
		this.wakeUps = wakeUps;
		return new WakeUps() {

			@Override
			public void wakeUp(String election) {
				travel(() -> SimulatedNetwork.this.process.deliver(() -> wakeUps.wakeUp(election)), () -> {
				});
			}

			@Override
			public void wakeUpAll() {
				travel(() -> SimulatedNetwork.this.process.deliver(wakeUps::wakeUpAll), () -> {
				});
			}

			@Override
			public void leasesLost() {
				throw new IllegalStateException("Records in memory are bound to no session");
			}

		};
	}

	/**
	 * Ends what a store with sessions would bind the leases of this process to. They are
	 * free as soon as the process has heard of it, and not granted again with their
	 * tokens. A store that frees them before it is heard breaks P1 whatever the engine
	 * does.
	 */
	void endSession() {
		WakeUps told = this.wakeUps;
		if (told == null) {
			return;
		}
		travel(() -> this.process.deliver(() -> {
			List<FencingToken> bound = this.server.tokensOf(this.process.owner());
			this.store.sessionEnds();
			told.leasesLost();
			this.store.heard(bound);
			this.server.free(bound);
		}), () -> {
		});
	}

	private void travel(Runnable arrival, Runnable refusal) {
		if (this.weather.losesMessage()) {
			this.node.troubled(0);
			return;
		}
		long latency = this.weather.latency();
		if (latency > 5 * World.MILLI) {
			this.node.troubled(latency);
		}
		this.world.in(latency, () -> {
			if (this.node.isCutOff()) {
				this.node.troubled(0);
				if (this.world.chance(0.3)) {
					refusal.run();
				}
			}
			else {
				arrival.run();
			}
		});
	}

	private final class Message<R> {

		private final Operation operation;

		private final Function<LeaseStore, R> call;

		private final Answer<R> answer;

		private final Moment sentAt;

		private Message(Operation operation, Function<LeaseStore, R> call, Answer<R> answer, Moment sentAt) {
			this.operation = operation;
			this.call = call;
			this.answer = answer;
			this.sentAt = sentAt;
		}

		private void arrive() {
			if (SimulatedNetwork.this.server.isTroubled()) {
				SimulatedNetwork.this.node.troubled(0);
			}
			if (SimulatedNetwork.this.server.isDown()) {
				if (SimulatedNetwork.this.world.chance(0.7)) {
					refuse();
				}
				return;
			}
			SimulatedNetwork.this.server.handle(this::execute);
		}

		private void arriveAgain() {
			if (!SimulatedNetwork.this.server.isDown()) {
				SimulatedNetwork.this.server.handle(() -> {
					SimulatedNetwork.this.world.trace(() -> describe("again"));
					this.call.apply(SimulatedNetwork.this.store);
					SimulatedNetwork.this.store.takeLostTokens();
				});
			}
		}

		private void execute() {
			R result = this.call.apply(SimulatedNetwork.this.store);
			List<FencingToken> lostTokens = SimulatedNetwork.this.store.takeLostTokens();
			SimulatedNetwork.this.world.trace(() -> describe(String.valueOf(result)));
			travel(() -> SimulatedNetwork.this.process.deliver(() -> {
				this.answer.answered(this.sentAt, result);
				SimulatedNetwork.this.store.heard(lostTokens);
			}), this::refuse);
		}

		private void refuse() {
			SimulatedNetwork.this.process
				.deliver(() -> this.answer.failed(new LeaseStoreException("connection refused")));
		}

		private String describe(String outcome) {
			return "store: %s of %s: %s".formatted(this.operation, SimulatedNetwork.this.process.name(), outcome);
		}

	}

}
