package io.leaderelection.test;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.memory.InMemoryLeaseStore;

/**
 * Puts a store out of reach, as a server does that hangs or restarts. The first call of
 * each client after a restart fails, since it finds its connection broken.
 */
final class StandInServer {

	static final String STRANGER = "stranger";

	private final LeaseStore store;

	private final List<WakeUps> watchers = new CopyOnWriteArrayList<>();

	private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

	private boolean paused;

	private boolean rejecting;

	private int starts;

	StandInServer(LeaseStore store) {
		this.store = store;
	}

	LeaseStore newClient() {
		return new Client();
	}

	synchronized void pause() {
		this.paused = true;
	}

	synchronized void reject() {
		this.rejecting = true;
	}

	synchronized void resume() {
		this.paused = false;
		this.rejecting = false;
		notifyAll();
	}

	void restart() {
		synchronized (this) {
			this.starts++;
		}
		this.watchers.forEach(WakeUps::wakeUpAll);
	}

	/** Makes each call about this election fail, and answers for it beside others. */
	void garble(String election) {
		this.unreadable.add(election);
	}

	static void letAStrangerTake(String election, InMemoryLeaseStore records) {
		records.evict(election);
		records.acquire(List
			.of(new AcquireRequest(election, new Owner(STRANGER, "unheard of"), Duration.ofMinutes(1), 0, true)));
	}

	private synchronized int awaitAnswer() {
		try {
			if (this.rejecting) {
				throw new LeaseStoreException("The server is read-only", null, true);
			}
			while (this.paused) {
				wait();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LeaseStoreException("Interrupted while the server hung", ex);
		}
		return this.starts;
	}

	private final class Client implements LeaseStore {

		private int connection = awaitAnswer();

		@Override
		public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
			return eachReadable(candidacies, AcquireRequest::election, LeaseStore::acquire,
					(asked) -> new Held(Optional.empty(), 0, asked.duration(), asked.duration()));
		}

		@Override
		public List<RenewResult> renew(List<RenewRequest> renewals) {
			return eachReadable(renewals, (renewal) -> renewal.lease().election(), LeaseStore::renew,
					(asked) -> new Lost());
		}

		private <Q, R> List<R> eachReadable(List<Q> questions, Function<Q, String> election,
				BiFunction<LeaseStore, List<Q>, List<R>> call, Function<Q, R> otherwise) {
			Predicate<Q> readable = (question) -> !StandInServer.this.unreadable.contains(election.apply(question));
			List<Q> clean = questions.stream().filter(readable).toList();
			if (clean.isEmpty() || clean.size() == questions.size()) {
				return call(questions.stream().map(election).toList(), (store) -> call.apply(store, questions));
			}
			Iterator<R> answers = call(List.of(), (store) -> call.apply(store, clean)).iterator();
			return questions.stream()
				.map((question) -> readable.test(question) ? answers.next() : otherwise.apply(question))
				.toList();
		}

		@Override
		public void release(List<Lease> leases) {
			call(leases.stream().map(Lease::election).toList(), (store) -> {
				store.release(leases);
				return true;
			});
		}

		@Override
		public void transfer(Lease lease, String nodeId, Duration grace) {
			call(List.of(lease.election()), (store) -> {
				store.transfer(lease, nodeId, grace);
				return true;
			});
		}

		@Override
		public Optional<LeaseView> read(String election) {
			return call(List.of(election), (store) -> store.read(election));
		}

		@Override
		public Optional<Watch> watch(WakeUps wakeUps) {
			return call(List.of(), (store) -> store.watch(wakeUps)).map((watch) -> {
				StandInServer.this.watchers.add(wakeUps);
				return () -> {
					StandInServer.this.watchers.remove(wakeUps);
					watch.close();
				};
			});
		}

		private <R> R call(List<String> elections, Function<LeaseStore, R> call) {
			int current = awaitAnswer();
			synchronized (this) {
				if (this.connection != current) {
					this.connection = current;
					throw new LeaseStoreException("Connection reset");
				}
			}
			for (String election : elections) {
				if (StandInServer.this.unreadable.contains(election)) {
					throw new LeaseStoreException("The record of %s cannot be read".formatted(election));
				}
			}
			return call.apply(StandInServer.this.store);
		}

	}

}
