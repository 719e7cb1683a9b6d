package io.leaderelection.test.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.leaderelection.ElectionSettings;
import io.leaderelection.engine.Callbacks;
import io.leaderelection.engine.NodeClock;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.engine.StoreAccess;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.memory.InMemoryLeaseStore;

/**
 * How each rule is broken.
 */
final class Mutations {

	private Mutations() {
	}

	static final class DeadlineFromResponse implements Tampering {

		@Override
		public StoreAccess access(StoreAccess access, NodeClock clock) {
			return new StoreAccess() {

				@Override
				public <R> Call submit(Operation operation, Function<LeaseStore, R> call, Answer<R> answer) {
					return access.submit(operation, call, new Answer<R>() {

						@Override
						public void answered(Moment sentAt, R result) {
							answer.answered(clock.now(), result);
						}

						@Override
						public void failed(Throwable failure) {
							answer.failed(failure);
						}

					});
				}

			};
		}

	}

	static final class NoDriftMargin implements Tampering {

		@Override
		public ElectionSettings settings(ElectionSettings settings) {
			return ElectionSettings.builder()
				.leaseDuration(settings.leaseDuration())
				.drainTimeout(settings.drainTimeout())
				.coldStartWait(settings.coldStartWait())
				.clockDrift(0)
				.safetyMargin(Duration.ZERO)
				.build();
		}

	}

	static final class ReleaseBeforeLost implements Tampering {

		@Override
		public Callbacks callbacks(Callbacks callbacks) {
			return () -> {
				Callbacks.Queue queue = callbacks.queue();
				return (task, whenDone) -> {
					whenDone.run();
					queue.submit(task, () -> {
					});
				};
			};
		}

	}

	static final class FollowerTrustsWallClock implements Tampering {

		private final Map<String, Long> wallExpiry = new HashMap<>();

		@Override
		public LeaseStore store(LeaseStore store, InMemoryLeaseStore records, NodeClock clock) {
			return new Forwarding(store) {

				@Override
				public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
					for (AcquireRequest candidacy : candidacies) {
						Long expiry = FollowerTrustsWallClock.this.wallExpiry.get(candidacy.election());
						if (expiry != null && clock.wallMillis() > expiry) {
							records.evict(candidacy.election());
						}
					}
					List<AcquireResult> results = super.acquire(candidacies);
					for (int i = 0; i < results.size(); i++) {
						if (results.get(i) instanceof AcquireResult.Granted) {
							write(candidacies.get(i).election(), candidacies.get(i).duration());
						}
					}
					return results;
				}

				@Override
				public List<RenewResult> renew(List<RenewRequest> renewals) {
					List<RenewResult> results = super.renew(renewals);
					for (int i = 0; i < results.size(); i++) {
						if (results.get(i) instanceof RenewResult.Renewed) {
							write(renewals.get(i).lease().election(), renewals.get(i).lease().duration());
						}
					}
					return results;
				}

				private void write(String election, Duration duration) {
					FollowerTrustsWallClock.this.wallExpiry.put(election, clock.wallMillis() + duration.toMillis());
				}

			};
		}

	}

	static final class RenewalWithoutToken implements Tampering {

		@Override
		public LeaseStore store(LeaseStore store, InMemoryLeaseStore records, NodeClock clock) {
			return new Forwarding(store) {

				@Override
				public List<RenewResult> renew(List<RenewRequest> renewals) {
					return super.renew(renewals.stream().map((renewal) -> {
						Lease lease = renewal.lease();
						Optional<LeaseView> present = records.read(lease.election());
						boolean own = present.flatMap(LeaseView::holder).filter(lease.owner()::equals).isPresent();
						return own ? withToken(renewal, present.orElseThrow().token()) : renewal;
					}).toList());
				}

			};
		}

	}

	static final class RenewalWithoutCondition implements Tampering {

		@Override
		public LeaseStore store(LeaseStore store, InMemoryLeaseStore records, NodeClock clock) {
			return new Forwarding(store) {

				@Override
				public List<RenewResult> renew(List<RenewRequest> renewals) {
					return super.renew(renewals.stream()
						.map((renewal) -> records.read(renewal.lease().election())
							.flatMap((view) -> view.holder()
								.map((holder) -> new RenewRequest(new Lease(renewal.lease().election(), holder,
										view.token(), renewal.lease().duration()), renewal.createIfAbsent())))
							.orElse(renewal))
						.toList());
				}

			};
		}

	}

	static final class RenewalStopsAfterFailure implements Tampering {

		@Override
		public StoreAccess access(StoreAccess access, NodeClock clock) {
			return new StoreAccess() {

				private boolean stopped;

				@Override
				public <R> Call submit(Operation operation, Function<LeaseStore, R> call, Answer<R> answer) {
					if (operation != Operation.RENEW) {
						return access.submit(operation, call, answer);
					}
					if (this.stopped) {
						return () -> {
						};
					}
					return access.submit(operation, call, new Answer<R>() {

						@Override
						public void answered(Moment sentAt, R result) {
							answer.answered(sentAt, result);
						}

						@Override
						public void failed(Throwable failure) {
							stopped = true;
							answer.failed(failure);
						}

					});
				}

			};
		}

	}

	static final class ReleaseWithoutToken implements Tampering {

		@Override
		public LeaseStore store(LeaseStore store, InMemoryLeaseStore records, NodeClock clock) {
			return new Forwarding(store) {

				@Override
				public void release(List<Lease> leases) {
					for (Lease lease : leases) {
						if (records.read(lease.election())
							.flatMap(LeaseView::holder)
							.filter(lease.owner()::equals)
							.isPresent()) {
							records.evict(lease.election());
						}
					}
				}

			};
		}

	}

	static final class NoWallClock implements Tampering {

		@Override
		public NodeClock clock(NodeClock clock) {
			return new NodeClock() {

				@Override
				public long nanos() {
					return clock.nanos();
				}

				@Override
				public long wallMillis() {
					return clock.nanos() / World.MILLI;
				}

			};
		}

	}

	static final class VanishedRecordTaken implements Tampering {

		@Override
		public LeaseStore store(LeaseStore store, InMemoryLeaseStore records, NodeClock clock) {
			return new Forwarding(store) {

				@Override
				public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
					return super.acquire(candidacies.stream()
						.map((candidacy) -> new AcquireRequest(candidacy.election(), candidacy.owner(),
								candidacy.duration(), candidacy.tokenFloor(), true))
						.toList());
				}

			};
		}

	}

	static final class TokensWithoutFloor implements Tampering {

		@Override
		public Clock tokenClock(Clock clock) {
			return Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
		}

		@Override
		public LeaseStore store(LeaseStore store, InMemoryLeaseStore records, NodeClock clock) {
			return new Forwarding(store) {

				@Override
				public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
					return super.acquire(candidacies.stream()
						.map((candidacy) -> new AcquireRequest(candidacy.election(), candidacy.owner(),
								candidacy.duration(), 0, candidacy.createIfAbsent()))
						.toList());
				}

			};
		}

	}

	static final class HintsIgnored implements Tampering {

		@Override
		public LeaseStore store(LeaseStore store, InMemoryLeaseStore records, NodeClock clock) {
			return new Forwarding(store) {

				@Override
				public Optional<Watch> watch(WakeUps wakeUps) {
					return Optional.of(() -> {
					});
				}

			};
		}

	}

	static final class LostSessionIgnored implements Tampering {

		@Override
		public WakeUps wakeUps(WakeUps wakeUps, NodeClock clock) {
			return withoutLoss(wakeUps, () -> {
			});
		}

	}

	static final class GrantOutlastsSession implements Tampering {

		private final Map<NodeClock, Long> lostAt = new HashMap<>();

		@Override
		public WakeUps wakeUps(WakeUps wakeUps, NodeClock clock) {
			return withoutLoss(wakeUps, () -> {
				this.lostAt.put(clock, clock.nanos());
				wakeUps.leasesLost();
			});
		}

		@Override
		public StoreAccess access(StoreAccess access, NodeClock clock) {
			return new StoreAccess() {

				@Override
				public <R> Call submit(Operation operation, Function<LeaseStore, R> call, Answer<R> answer) {
					return access.submit(operation, call, new Answer<R>() {

						@Override
						public void answered(Moment sentAt, R result) {
							long loss = GrantOutlastsSession.this.lostAt.getOrDefault(clock, -1L);
							answer.answered(new Moment(Math.max(sentAt.nanos(), loss + 1), sentAt.wallMillis()),
									result);
						}

						@Override
						public void failed(Throwable failure) {
							answer.failed(failure);
						}

					});
				}

			};
		}

	}

	private static WakeUps withoutLoss(WakeUps wakeUps, Runnable instead) {
		return new WakeUps() {

			@Override
			public void wakeUp(String election) {
				wakeUps.wakeUp(election);
			}

			@Override
			public void wakeUpAll() {
				wakeUps.wakeUpAll();
			}

			@Override
			public void leasesLost() {
				instead.run();
			}

		};
	}

	static final class CallbacksHoldUpRenewal implements Tampering {

		private int busy;

		@Override
		public Callbacks callbacks(Callbacks callbacks) {
			return () -> {
				Callbacks.Queue queue = callbacks.queue();
				return (task, whenDone) -> {
					this.busy++;
					queue.submit(task, () -> {
						this.busy--;
						whenDone.run();
					});
				};
			};
		}

		@Override
		public StoreAccess access(StoreAccess access, NodeClock clock) {
			return new StoreAccess() {

				@Override
				public <R> Call submit(Operation operation, Function<LeaseStore, R> call, Answer<R> answer) {
					if (CallbacksHoldUpRenewal.this.busy > 0) {
						return () -> {
						};
					}
					return access.submit(operation, call, answer);
				}

			};
		}

	}

	private static RenewRequest withToken(RenewRequest renewal, long token) {
		Lease lease = renewal.lease();
		return new RenewRequest(new Lease(lease.election(), lease.owner(), token, lease.duration()),
				renewal.createIfAbsent());
	}

	/**
	 * See {@link Mutant#REJECTED_TOKEN_IS_IGNORED}.
	 */
	static final class RejectedTokenIgnored implements Tampering {

		@Override
		public boolean reportsRejectedTokens() {
			return false;
		}

	}

	/**
	 * See {@link Mutant#FAILED_THREAD_BLOCKS_ITS_QUEUE}.
	 */
	static final class FailedThreadBlocksQueue implements Tampering {

		@Override
		public boolean retriesFailedThreads() {
			return false;
		}

	}

	/**
	 * See {@link Mutant#HUNG_CALL_HOLDS_UP_SHORTER_LEASES}.
	 */
	static final class HungCallHoldsUpOthers implements Tampering {

		private long longestTimeout;

		@Override
		public ElectionSettings settings(ElectionSettings settings) {
			this.longestTimeout = Math.max(this.longestTimeout, settings.callTimeout().toNanos());
			return settings;
		}

		@Override
		public StoreAccess access(StoreAccess access, NodeClock clock) {
			return new StoreAccess() {

				private long heldUpUntil = Long.MIN_VALUE;

				@Override
				public <R> Call submit(Operation operation, Function<LeaseStore, R> call, Answer<R> answer) {
					long now = clock.nanos();
					if (now < this.heldUpUntil) {
						return () -> {
						};
					}
					Call sent = access.submit(operation, call, answer);
					return () -> {
						this.heldUpUntil = now + HungCallHoldsUpOthers.this.longestTimeout;
						sent.abandon();
					};
				}

			};
		}

	}

	/**
	 * A store that does what another does.
	 */
	private static class Forwarding implements LeaseStore {

		private final LeaseStore store;

		Forwarding(LeaseStore store) {
			this.store = store;
		}

		@Override
		public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
			return this.store.acquire(candidacies);
		}

		@Override
		public List<RenewResult> renew(List<RenewRequest> renewals) {
			return this.store.renew(renewals);
		}

		@Override
		public void release(List<Lease> leases) {
			this.store.release(leases);
		}

		@Override
		public void transfer(Lease lease, String nodeId, Duration grace) {
			this.store.transfer(lease, nodeId, grace);
		}

		@Override
		public Optional<LeaseView> read(String election) {
			return this.store.read(election);
		}

		@Override
		public Optional<Watch> watch(WakeUps wakeUps) {
			return this.store.watch(wakeUps);
		}

	}

}
