package io.leaderelection.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import io.leaderelection.ElectionSettings;
import io.leaderelection.StoreCall;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.RenewRequest;
import org.jspecify.annotations.Nullable;

/**
 * The engine's calls to the store, one at a time and each with a deadline of its own. A
 * call that took too long counts as failed, but if its answer still comes, it is heard:
 * what it proves is bounded by when it was sent. All of it runs under the engine's lock.
 */
final class StoreCalls {

	private final StoreAccess store;

	private final EngineLock lock;

	private final NodeClock clock;

	private final Timers timers;

	private final StoreCallScheduler scheduler;

	private final Backoff backoff;

	private final StoreHealth health;

	private final Collection<Consumer<StoreCall>> listeners;

	private @Nullable Call<?> underWay;

	StoreCalls(StoreAccess store, EngineLock lock, NodeClock clock, Timers timers, StoreCallScheduler scheduler,
			Backoff backoff, StoreHealth health, Collection<Consumer<StoreCall>> listeners) {
		this.store = store;
		this.lock = lock;
		this.clock = clock;
		this.timers = timers;
		this.scheduler = scheduler;
		this.backoff = backoff;
		this.health = health;
		this.listeners = listeners;
	}

	boolean isIdle() {
		return this.underWay == null;
	}

	long deadline() {
		return (this.underWay != null) ? this.underWay.deadline : Election.NEVER;
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

	void renew(List<Election> elections, List<RenewRequest> renewals) {
		call(Operation.RENEW, (store) -> complete(store.renew(Collections.unmodifiableList(renewals)), renewals),
				(sentAt, results, now) -> {
					for (int i = 0; i < renewals.size(); i++) {
						elections.get(i).leader().renewed(renewals.get(i).lease(), results.get(i), sentAt, now);
					}
				}, (failure) -> {
					for (int i = 0; i < renewals.size(); i++) {
						elections.get(i)
							.leader()
							.renewFailed(renewals.get(i).lease(),
									retryAt(Operation.RENEW, elections.get(i).settings()));
					}
				});
	}

	void acquire(List<Election> elections, List<AcquireRequest> requests) {
		call(Operation.ACQUIRE, (store) -> complete(store.acquire(Collections.unmodifiableList(requests)), requests),
				(sentAt, results, now) -> {
					for (int i = 0; i < requests.size(); i++) {
						elections.get(i).acquired(requests.get(i), results.get(i), sentAt, now);
					}
				}, (failure) -> {
					for (Election election : elections) {
						election.candidate().failed(retryAt(Operation.ACQUIRE, election.settings()));
					}
				});
	}

	void release(List<PendingRelease> releases) {
		List<Lease> leases = releases.stream().map(PendingRelease::lease).toList();
		release(Operation.RELEASE, releases, (store) -> store.release(leases));
	}

	void transfer(PendingRelease release, String target) {
		Duration grace = release.leader().settings().transferGrace();
		release(Operation.TRANSFER, List.of(release), (store) -> store.transfer(release.lease(), target, grace));
	}

	private void release(Operation operation, List<PendingRelease> releases, Consumer<LeaseStore> request) {
		call(operation, (store) -> {
			request.accept(store);
			return true;
		}, (sentAt, done, now) -> releases.forEach((release) -> release.finish(true)), (failure) -> {
			for (PendingRelease release : releases) {
				if (release.isWorthRepeating()) {
					this.scheduler.release(release, retryAt(operation, release.leader().settings()));
				}
				else {
					release.finish(false);
				}
			}
		});
	}

	void read(PendingRead read) {
		call(Operation.READ, (store) -> store.read(read.election().name()),
				(sentAt, view, now) -> read.election().read(read.answer(), view, now),
				(failure) -> read.election().readFailed(read.answer(), failure));
	}

	void watch(StoreWatch watch) {
		Duration timeout = this.scheduler.callTimeout();
		call(Operation.WATCH, (store) -> store.watch(watch), (sentAt, opened, now) -> watch.opened(opened),
				(failure) -> watch.failed(this.clock.nanos() + timeout.toNanos()));
	}

	void close(Watch watch) {
		call(Operation.UNWATCH, (store) -> {
			watch.close();
			return true;
		}, (sentAt, closed, now) -> {
		}, (failure) -> {
		});
	}

	private <R> void call(Operation operation, Function<LeaseStore, R> request, Response<R> response,
			Consumer<Throwable> failed) {
		new Call<>(operation, this.scheduler.callTimeout(), response, failed).begin(request);
	}

	private long retryAt(Operation operation, ElectionSettings settings) {
		long delay = this.backoff.retryDelay(settings, this.health.failuresInARow(operation));
		return this.clock.nanos() + delay;
	}

	private boolean isNeeded(Operation operation) {
		return (this.underWay != null && this.underWay.operation == operation) || this.scheduler.plans(operation);
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
	 * @param leader the leader side of its election
	 * @param lease the lease
	 * @param stepDown the end of its leadership; none for a lease that is of no use
	 */
	record PendingRelease(LeaderState leader, Lease lease, @Nullable StepDown stepDown) {

		@Nullable String target() {
			return (this.stepDown != null) ? this.stepDown.target() : null;
		}

		boolean isWorthRepeating() {
			return this.stepDown != null && this.stepDown.mayStillRelease();
		}

		void finish(boolean released) {
			if (this.stepDown != null) {
				this.leader.released(this.stepDown, released);
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
	 * Takes the response to a call.
	 *
	 * @param <R> what the store returns
	 */
	private interface Response<R> {

		void succeeded(Moment sentAt, R result, long now);

	}

	/**
	 * One call and what follows from its outcome.
	 *
	 * @param <R> what the store returns
	 */
	private final class Call<R> implements StoreAccess.Answer<R> {

		private final Operation operation;

		private final Duration timeout;

		private final Response<R> response;

		private final Consumer<Throwable> whenFailed;

		private final long begunAt = StoreCalls.this.clock.nanos();

		private final long deadline;

		private boolean givenUp;

		private StoreAccess.@Nullable Call handle;

		private Call(Operation operation, Duration timeout, Response<R> response, Consumer<Throwable> whenFailed) {
			this.operation = operation;
			this.timeout = timeout;
			this.response = response;
			this.whenFailed = whenFailed;
			this.deadline = this.begunAt + timeout.toNanos();
		}

		private void begin(Function<LeaseStore, R> request) {
			StoreCalls.this.underWay = this;
			try {
				this.handle = StoreCalls.this.store.submit(this.operation, request, this);
			}
			catch (Throwable ex) {
				// such as a process that may start no more threads; not from within the
				// present event
				StoreCalls.this.timers.schedule(0, () -> failed(ex));
			}
		}

		@Override
		public void answered(Moment sentAt, R result) {
			StoreCalls.this.lock.enter(() -> {
				long now = StoreCalls.this.clock.nanos();
				end();
				// before a grant makes renewals necessary, which may have failed for the
				// lease before
				Set<Operation> needed = EnumSet.allOf(Operation.class);
				needed.removeIf((operation) -> !isNeeded(operation));
				try {
					this.response.succeeded(sentAt, result, now);
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
			StoreCalls.this.lock.enter(() -> {
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
			StoreCalls.this.health.failed(this.operation, failure);
			this.whenFailed.accept(failure);
			tell(StoreCalls.this.clock.nanos() - this.begunAt, failure);
		}

		private void tell(long nanos, @Nullable Throwable failure) {
			boolean reported = this.operation != Operation.WATCH && this.operation != Operation.UNWATCH;
			if (reported && !StoreCalls.this.listeners.isEmpty()) {
				StoreCall call = new StoreCall(StoreCall.Kind.valueOf(this.operation.name()), Duration.ofNanos(nanos),
						Optional.ofNullable(failure));
				StoreCalls.this.listeners.forEach((listener) -> listener.accept(call));
			}
		}

		private void end() {
			if (StoreCalls.this.underWay == this) {
				StoreCalls.this.underWay = null;
			}
		}

	}

}
