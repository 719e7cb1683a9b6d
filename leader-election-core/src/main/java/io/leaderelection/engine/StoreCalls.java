package io.leaderelection.engine;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import io.leaderelection.StoreCall;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.Renewal;
import io.leaderelection.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * The engine's calls to the store, one at a time and each with a deadline of its own. A
 * call that took too long counts as failed, but if its answer still comes, it is heard:
 * what it proves is bounded by when it was sent. All of it runs under the engine's lock.
 */
final class StoreCalls {

	private final ElectionEngine engine;

	private final StoreAccess store;

	private @Nullable Call<?> underWay;

	private final StoreHealth health;

	private final StoreCallListeners listeners;

	StoreCalls(ElectionEngine engine, StoreAccess store, EngineLog log, StoreCallListeners listeners) {
		this.engine = engine;
		this.store = store;
		this.health = new StoreHealth(log, engine.clock());
		this.listeners = listeners;
	}

	boolean isIdle() {
		return this.underWay == null;
	}

	long deadline() {
		return (this.underWay != null) ? this.underWay.deadline : Election.NEVER;
	}

	StoreHealth health() {
		return this.health;
	}

	StoreCallListeners listeners() {
		return this.listeners;
	}

	private boolean isNeeded(Operation operation) {
		return (this.underWay != null && this.underWay.operation == operation)
				|| this.engine.scheduler().plans(operation);
	}

	void giveUpIfOverdue(long now) {
		Call<?> overdue = this.underWay;
		if (overdue != null && overdue.deadline <= now) {
			overdue.giveUp();
		}
	}

	/** A call from before has a deadline by a clock that may have jumped since. */
	void startAnew() {
		if (this.underWay != null) {
			this.underWay.giveUp();
		}
		this.health.startAnew();
	}

	void renew(List<Election> elections, List<Renewal> renewals) {
		new Call<List<RenewResult>>(Operation.RENEW, shortestTimeout()) {

			@Override
			List<RenewResult> perform(LeaseStore store) {
				return complete(store.renew(Collections.unmodifiableList(renewals)), renewals);
			}

			@Override
			void succeeded(Moment sentAt, List<RenewResult> results, long now) {
				for (int i = 0; i < renewals.size(); i++) {
					elections.get(i).renewed(renewals.get(i).lease(), results.get(i), sentAt, now);
				}
			}

			@Override
			void gaveUp(Throwable failure) {
				for (int i = 0; i < renewals.size(); i++) {
					elections.get(i).renewFailed(renewals.get(i).lease(), retryAt(elections.get(i)));
				}
			}

		}.begin();
	}

	void acquire(List<Election> elections, List<Candidacy> candidacies) {
		new Call<List<AcquireResult>>(Operation.ACQUIRE, shortestTimeout()) {

			@Override
			List<AcquireResult> perform(LeaseStore store) {
				return complete(store.acquire(Collections.unmodifiableList(candidacies)), candidacies);
			}

			@Override
			void succeeded(Moment sentAt, List<AcquireResult> results, long now) {
				for (int i = 0; i < candidacies.size(); i++) {
					elections.get(i).acquired(candidacies.get(i), results.get(i), sentAt, now);
				}
			}

			@Override
			void gaveUp(Throwable failure) {
				for (Election election : elections) {
					election.seeking().failed(retryAt(election));
				}
			}

		}.begin();
	}

	void release(List<PendingRelease> releases) {
		List<Lease> leases = releases.stream().map(PendingRelease::lease).toList();
		giveUp(Operation.RELEASE, releases, (store) -> store.release(leases));
	}

	void transfer(PendingRelease release, String target) {
		Duration grace = release.election().settings().transferGrace();
		giveUp(Operation.TRANSFER, List.of(release), (store) -> store.transfer(release.lease(), target, grace));
	}

	private void giveUp(Operation operation, List<PendingRelease> releases, Consumer<LeaseStore> call) {
		new Call<Boolean>(operation, shortestTimeout()) {

			@Override
			Boolean perform(LeaseStore store) {
				call.accept(store);
				return true;
			}

			@Override
			void succeeded(Moment sentAt, Boolean done, long now) {
				releases.forEach((release) -> release.finish(true));
			}

			@Override
			void gaveUp(Throwable failure) {
				for (PendingRelease release : releases) {
					if (release.isWorthRepeating()) {
						StoreCalls.this.engine.scheduler().release(release, retryAt(release.election()));
					}
					else {
						release.finish(false);
					}
				}
			}

		}.begin();
	}

	void read(PendingRead read) {
		new Call<Optional<LeaseView>>(Operation.READ, shortestTimeout()) {

			@Override
			Optional<LeaseView> perform(LeaseStore store) {
				return store.read(read.election().name());
			}

			@Override
			void succeeded(Moment sentAt, Optional<LeaseView> view, long now) {
				List<String> candidates = view.map(LeaseView::candidates).orElse(List.of());
				read.election().candidatesSeen(candidates);
				view.ifPresent((present) -> read.election().seeking().read(present, now));
				StoreCalls.this.engine.later(() -> read.answer().complete(candidates));
			}

			@Override
			void gaveUp(Throwable failure) {
				StoreCalls.this.engine.later(() -> read.answer().completeExceptionally(failure));
			}

		}.begin();
	}

	void watch(WakeUps wakeUps) {
		Duration timeout = shortestTimeout();
		new Call<Optional<Watch>>(Operation.WATCH, timeout) {

			@Override
			Optional<Watch> perform(LeaseStore store) {
				return store.watch(wakeUps);
			}

			@Override
			void succeeded(Moment sentAt, Optional<Watch> watch, long now) {
				StoreCalls.this.engine.watch().opened(watch);
			}

			@Override
			void gaveUp(Throwable failure) {
				StoreCalls.this.engine.watch().failed(StoreCalls.this.engine.now() + timeout.toNanos());
			}

		}.begin();
	}

	void close(Watch watch) {
		new Call<Boolean>(Operation.UNWATCH, shortestTimeout()) {

			@Override
			Boolean perform(LeaseStore store) {
				watch.close();
				return true;
			}

			@Override
			void succeeded(Moment sentAt, Boolean closed, long now) {
			}

			@Override
			void gaveUp(Throwable failure) {
			}

		}.begin();
	}

	private static StoreCall.@Nullable Kind kind(Operation operation) {
		return switch (operation) {
			case ACQUIRE -> StoreCall.Kind.ACQUIRE;
			case RENEW -> StoreCall.Kind.RENEW;
			case RELEASE -> StoreCall.Kind.RELEASE;
			case TRANSFER -> StoreCall.Kind.TRANSFER;
			case READ -> StoreCall.Kind.READ;
			case WATCH, UNWATCH -> null;
		};
	}

	/**
	 * Of all elections of this node, also those that are not part of the call: only one
	 * call is under way at a time, and the renewal of a short lease may be waiting for
	 * it.
	 */
	private Duration shortestTimeout() {
		Duration shortest = null;
		for (Election election : this.engine.elections()) {
			Duration timeout = election.settings().callTimeout();
			if (shortest == null || timeout.compareTo(shortest) < 0) {
				shortest = timeout;
			}
		}
		return (shortest != null) ? shortest : Duration.ofSeconds(2);
	}

	private static <R> List<R> complete(List<R> answers, List<?> questions) {
		if (answers.size() != questions.size()) {
			throw new LeaseStoreException(
					"The store gave %d answers to %d questions".formatted(answers.size(), questions.size()), null,
					true);
		}
		for (R answer : answers) {
			Objects.requireNonNull(answer, "The store gave no answer to one of the questions");
		}
		return answers;
	}

	/**
	 * A lease to be given up.
	 *
	 * @param election the election
	 * @param lease the lease
	 * @param ending the end of its leadership; none for a lease that came unwanted
	 */
	record PendingRelease(Election election, Lease lease, @Nullable Ending ending) {

		@Nullable String target() {
			return (this.ending != null) ? this.ending.target() : null;
		}

		boolean isWorthRepeating() {
			return this.ending != null && this.ending.mayStillRelease();
		}

		void finish(boolean released) {
			if (this.ending != null) {
				this.ending.released(released);
			}
		}

	}

	/**
	 * A question who stands by.
	 *
	 * @param election the election
	 * @param answer takes the node ids
	 */
	record PendingRead(Election election, CompletableFuture<List<String>> answer) {
	}

	/**
	 * One call and what follows from its outcome.
	 *
	 * @param <R> what the store returns
	 */
	private abstract class Call<R> implements StoreAccess.Answer<R> {

		private final Operation operation;

		private final Duration timeout;

		private final long begunAt;

		private final long deadline;

		private boolean givenUp;

		private StoreAccess.@Nullable Call handle;

		Call(Operation operation, Duration timeout) {
			this.operation = operation;
			this.timeout = timeout;
			this.begunAt = StoreCalls.this.engine.now();
			this.deadline = this.begunAt + timeout.toNanos();
		}

		abstract R perform(LeaseStore store);

		abstract void succeeded(Moment sentAt, R result, long now);

		abstract void gaveUp(Throwable failure);

		void begin() {
			StoreCalls.this.underWay = this;
			Function<LeaseStore, R> call = this::perform;
			try {
				this.handle = StoreCalls.this.store.submit(this.operation, call, this);
			}
			catch (Throwable ex) {
				// such as a process that may start no more threads
				StoreCalls.this.engine.soon(() -> failed(ex));
			}
		}

		long retryAt(Election election) {
			long delay = StoreCalls.this.engine.backoff()
				.retryDelay(election.settings(), StoreCalls.this.health.failuresInARow(this.operation));
			return StoreCalls.this.engine.now() + delay;
		}

		@Override
		public void answered(Moment sentAt, R result) {
			StoreCalls.this.engine.enter(() -> {
				long now = StoreCalls.this.engine.now();
				end();
				// before a grant makes renewals necessary, which may have failed for the
				// lease before
				Set<Operation> needed = EnumSet.allOf(Operation.class);
				needed.removeIf((operation) -> !isNeeded(operation));
				try {
					succeeded(sentAt, result, now);
				}
				catch (RuntimeException ex) {
					misunderstood(ex);
					return;
				}
				if (!this.givenUp) {
					StoreCalls.this.health.succeeded(this.operation, needed::contains);
					tell(now - sentAt.nanos(), null);
				}
			});
		}

		/** One election's answer must not keep the others waiting for ever. */
		private void misunderstood(RuntimeException ex) {
			if (this.givenUp) {
				throw ex;
			}
			fail(new LeaseStoreException("The answer makes no sense", ex, true));
		}

		@Override
		public void failed(Throwable failure) {
			StoreCalls.this.engine.enter(() -> {
				if (!this.givenUp) {
					fail(failure);
				}
			});
		}

		private void giveUp() {
			if (this.handle != null) {
				this.handle.abandon();
			}
			fail(new StoreHealth.UnansweredCallException(this.timeout));
		}

		private void fail(Throwable failure) {
			this.givenUp = true;
			end();
			troubled(failure);
			gaveUp(failure);
			tell(StoreCalls.this.engine.now() - this.begunAt, failure);
		}

		private void tell(long nanos, @Nullable Throwable failure) {
			StoreCall.Kind kind = kind(this.operation);
			if (kind != null && !StoreCalls.this.listeners.isEmpty()) {
				StoreCalls.this.listeners
					.tell(new StoreCall(kind, Duration.ofNanos(nanos), Optional.ofNullable(failure)));
			}
		}

		void troubled(Throwable failure) {
			StoreCalls.this.health.failed(this.operation, failure);
		}

		private void end() {
			if (StoreCalls.this.underWay == this) {
				StoreCalls.this.underWay = null;
			}
		}

	}

}
