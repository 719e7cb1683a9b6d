package io.leaderelection.test.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.leaderelection.FencingToken;
import io.leaderelection.engine.NodeClock;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.engine.StoreAccess;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.observed.ObservedLeaseStore;
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

	private final Coroutines coroutines;

	private @Nullable ObservedStore observed;

	private @Nullable WakeUps wakeUps;

	private boolean hangsNextRead;

	SimulatedNetwork(World world, Weather weather, SimulatedStore server, SimulatedNode node, SimulatedProcess process,
			NodeClock clock, RefereedStore store, Tampering tampering, Coroutines coroutines) {
		this.coroutines = coroutines;
		this.world = world;
		this.weather = weather;
		this.server = server;
		this.node = node;
		this.process = process;
		this.clock = clock;
		this.store = store;
		this.tampering = tampering;
	}

	/**
	 * Runs an observed-time store in the process, instead of a store at the server.
	 * @param records how the store reaches its records
	 * @param nanos measures how long records were unchanged
	 */
	void observe(SimulatedRecords records, LongSupplier nanos) {
		this.observed = new ObservedStore(records, new ObservedLeaseStore(this.tampering.records(records, this.clock),
				nanos, this.node.clock()::wallInstant));
	}

	@Override
	public <R> Call submit(Operation operation, Function<LeaseStore, R> call, Answer<R> answer) {
		if (operation == Operation.READ && this.hangsNextRead) {
			this.world.trace(() -> "a read of %s hangs".formatted(this.process.name()));
			this.hangsNextRead = false;
			return NOT_ABANDONED;
		}
		if (this.observed != null) {
			callObserved(this.observed.store, operation, call, answer);
			return NOT_ABANDONED;
		}
		Message<R> message = new Message<>(operation, call, answer, this.clock.now());
		travel(message::arrive, message::refuse);
		if (this.weather.doublesMessage() && operation != Operation.WATCH && operation != Operation.UNWATCH) {
			travel(message::arriveAgain, () -> {
			});
		}
		// what is on its way cannot be called back
		return NOT_ABANDONED;
	}

	/** The next read gets no answer, although nothing else is wrong. */
	void hangNextRead() {
		this.hangsNextRead = true;
	}

	/** The store runs in the process: only its requests travel. */
	private <R> void callObserved(LeaseStore store, Operation operation, Function<LeaseStore, R> call,
			Answer<R> answer) {
		Moment sentAt = this.clock.now();
		this.coroutines.start(operation, () -> {
			R result;
			try {
				result = call.apply(store);
			}
			catch (LeaseStoreException ex) {
				this.world.in(0, () -> this.process.deliver(() -> answer.failed(ex)));
				return;
			}
			this.world.trace(() -> "store: %s of %s: %s".formatted(operation, this.process.name(), result));
			this.world.in(0, () -> this.process.deliver(() -> answer.answered(sentAt, result)));
		});
	}

	/**
	 * Sends a request of an observed-time store, and waits for its answer.
	 * @return the answer; empty if there was none in time
	 */
	<T> Optional<T> ask(Duration limit, Supplier<T> request) {
		return this.coroutines.await((reply) -> {
			Runnable noAnswer = () -> this.process.deliver(() -> reply.accept(Optional.empty()));
			travel(() -> arrive(() -> {
				T answer = request.get();
				travel(() -> stall(() -> this.process.deliver(() -> reply.accept(Optional.of(answer)))), noAnswer);
			}, noAnswer), noAnswer);
			if (this.weather.doublesMessage()) {
				travel(() -> arrive(request::get, () -> {
				}), () -> {
				});
			}
			this.world.in(this.node.clock().inWorldTime(limit.toNanos()), noAnswer);
		});
	}

	/**
	 * In a storm, some answers are handled late, as by a thread that gets no processor.
	 */
	private void stall(Runnable handling) {
		if (this.weather.isStormy() && this.world.chance(0.1)) {
			long length = this.world.between(0, 4 * World.SECOND);
			this.node.troubled(length);
			this.world.in(length, handling);
		}
		else {
			handling.run();
		}
	}

	/** Whether the engine gives up a lease, and not the store one that was abandoned. */
	boolean isRelease() {
		return this.coroutines.operation() == Operation.RELEASE || this.coroutines.operation() == Operation.TRANSFER;
	}

	private void arrive(Runnable request, Runnable refusal) {
		if (this.server.isTroubled()) {
			this.node.troubled(0);
		}
		if (!this.server.isDown()) {
			this.server.handle(request);
		}
		else if (this.world.chance(0.7)) {
			refusal.run();
		}
	}

	/**
	 * A change that the server reports travels as other messages do. In a storm, most of
	 * them are lost, as when a watch is interrupted.
	 */
	void show(Runnable change) {
		if (this.weather.isStormy() && this.world.chance(0.8)) {
			return;
		}
		travel(() -> this.process.deliver(change), () -> {
		});
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
		if (this.observed != null) {
			this.observed.records.endSession();
			return;
		}
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

	private record ObservedStore(SimulatedRecords records, LeaseStore store) {
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
