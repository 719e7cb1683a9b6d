package io.leaderelection.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

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
 * How a store may be broken: what it does instead, and the steps that it does it with.
 */
final class Breakages {

	private Breakages() {
	}

	static Function<InMemoryLeaseStore, LeaseStore> acquiring(
			BiFunction<InMemoryLeaseStore, AcquireRequest, AcquireResult> breakage) {
		return (sound) -> new ForwardingLeaseStore(sound) {

			@Override
			AcquireResult acquireOne(AcquireRequest candidacy) {
				return breakage.apply(sound, candidacy);
			}

		};
	}

	static Function<InMemoryLeaseStore, LeaseStore> renewing(
			BiFunction<InMemoryLeaseStore, RenewRequest, RenewResult> breakage) {
		return (sound) -> new ForwardingLeaseStore(sound) {

			@Override
			RenewResult renewOne(RenewRequest renewal) {
				return breakage.apply(sound, renewal);
			}

		};
	}

	static Function<InMemoryLeaseStore, LeaseStore> releasing(BiConsumer<InMemoryLeaseStore, Lease> breakage) {
		return (sound) -> new ForwardingLeaseStore(sound) {

			@Override
			void releaseOne(Lease lease) {
				breakage.accept(sound, lease);
			}

		};
	}

	static Function<InMemoryLeaseStore, LeaseStore> transferring(Transfer breakage) {
		return (sound) -> new ForwardingLeaseStore(sound) {

			@Override
			public void transfer(Lease lease, String nodeId, Duration grace) {
				breakage.perform(sound, lease, nodeId, grace);
			}

		};
	}

	static Function<InMemoryLeaseStore, LeaseStore> reading(
			BiFunction<InMemoryLeaseStore, LeaseView, Optional<LeaseView>> breakage) {
		return (sound) -> new ForwardingLeaseStore(sound) {

			@Override
			public Optional<LeaseView> read(String election) {
				return sound.read(election).flatMap((view) -> breakage.apply(sound, view));
			}

		};
	}

	static Function<InMemoryLeaseStore, LeaseStore> watching(
			BiFunction<InMemoryLeaseStore, WakeUps, Optional<LeaseStore.Watch>> breakage) {
		return (sound) -> new ForwardingLeaseStore(sound) {

			@Override
			public Optional<LeaseStore.Watch> watch(WakeUps wakeUps) {
				return breakage.apply(sound, wakeUps);
			}

		};
	}

	/**
	 * A store that takes one election or node for another.
	 * @param election how it writes the name of an election
	 * @param owner how it writes who asks
	 * @return the breakage
	 */
	static Function<InMemoryLeaseStore, LeaseStore> writing(UnaryOperator<String> election,
			UnaryOperator<Owner> owner) {
		return (sound) -> new ForwardingLeaseStore(sound) {

			@Override
			AcquireResult acquireOne(AcquireRequest candidacy) {
				return super.acquireOne(
						new AcquireRequest(election.apply(candidacy.election()), owner.apply(candidacy.owner()),
								candidacy.duration(), candidacy.tokenFloor(), candidacy.createIfAbsent()));
			}

			@Override
			RenewResult renewOne(RenewRequest renewal) {
				return super.renewOne(new RenewRequest(written(renewal.lease()), renewal.createIfAbsent()));
			}

			@Override
			void releaseOne(Lease lease) {
				super.releaseOne(written(lease));
			}

			@Override
			public void transfer(Lease lease, String nodeId, Duration grace) {
				super.transfer(written(lease), owner.apply(new Owner(nodeId, "")).nodeId(), grace);
			}

			@Override
			public Optional<LeaseView> read(String name) {
				return super.read(election.apply(name));
			}

			private Lease written(Lease lease) {
				return new Lease(election.apply(lease.election()), owner.apply(lease.owner()), lease.token(),
						lease.duration());
			}

		};
	}

	/**
	 * A broken transfer.
	 */
	interface Transfer {

		void perform(InMemoryLeaseStore sound, Lease lease, String nodeId, Duration grace);

	}

	static AcquireResult acquire(InMemoryLeaseStore sound, AcquireRequest candidacy) {
		return sound.acquire(List.of(candidacy)).get(0);
	}

	static RenewResult renew(InMemoryLeaseStore sound, Lease lease, RenewRequest asked) {
		return sound.renew(List.of(new RenewRequest(lease, asked.createIfAbsent()))).get(0);
	}

	static boolean isHeldBy(InMemoryLeaseStore sound, Owner owner, String election) {
		return sound.read(election).flatMap(LeaseView::holder).filter(owner::equals).isPresent();
	}

	static Lease recordedToken(InMemoryLeaseStore sound, Lease lease) {
		return sound.read(lease.election()).map((view) -> withToken(lease, view.token())).orElse(lease);
	}

	static Lease recordedOwner(InMemoryLeaseStore sound, Lease lease) {
		Owner owner = sound.read(lease.election()).flatMap(LeaseView::holder).orElse(lease.owner());
		return new Lease(lease.election(), owner, lease.token(), lease.duration());
	}

	static Lease withToken(Lease lease, long token) {
		return new Lease(lease.election(), lease.owner(), token, lease.duration());
	}

	static AcquireRequest withFloor(AcquireRequest asked, long floor) {
		return new AcquireRequest(asked.election(), asked.owner(), asked.duration(), floor, asked.createIfAbsent());
	}

	static AcquireRequest withDuration(AcquireRequest asked, Duration duration) {
		return new AcquireRequest(asked.election(), asked.owner(), duration, asked.tokenFloor(),
				asked.createIfAbsent());
	}

	static <T> List<T> backwards(List<T> answers) {
		List<T> backwards = new ArrayList<>(answers);
		Collections.reverse(backwards);
		return backwards;
	}

	static Function<InMemoryLeaseStore, LeaseStore> refusing(UnaryOperator<Held> breakage) {
		return acquiring((sound, asked) -> {
			AcquireResult answer = acquire(sound, asked);
			return (answer instanceof Held held) ? breakage.apply(held) : answer;
		});
	}

	static Function<InMemoryLeaseStore, LeaseStore> losingAllForOne() {
		return (sound) -> new ForwardingLeaseStore(sound) {

			@Override
			public List<RenewResult> renew(List<RenewRequest> renewals) {
				List<RenewResult> answers = super.renew(renewals);
				return answers.stream().anyMatch(Lost.class::isInstance)
						? Collections.nCopies(answers.size(), (RenewResult) new Lost()) : answers;
			}

			@Override
			public void release(List<Lease> leases) {
				if (leases.stream().allMatch((lease) -> isHeldBy(sound, lease.owner(), lease.election()))) {
					super.release(leases);
				}
			}

		};
	}

	static Function<InMemoryLeaseStore, LeaseStore> failingForStrangers() {
		return (sound) -> new ForwardingLeaseStore(sound) {

			@Override
			public List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
				candidacies.forEach((candidacy) -> refuseStrangers(sound, candidacy.election()));
				return super.acquire(candidacies);
			}

			@Override
			public List<RenewResult> renew(List<RenewRequest> renewals) {
				renewals.forEach((renewal) -> refuseStrangers(sound, renewal.lease().election()));
				return super.renew(renewals);
			}

		};
	}

	private static void refuseStrangers(InMemoryLeaseStore sound, String election) {
		sound.read(election)
			.flatMap(LeaseView::holder)
			.filter((owner) -> owner.nodeId().equals(StandInServer.STRANGER))
			.ifPresent((owner) -> {
				throw new LeaseStoreException("The record of %s cannot be read".formatted(election));
			});
	}

	static Function<InMemoryLeaseStore, LeaseStore> queueing() {
		Map<String, Owner> next = new ConcurrentHashMap<>();
		return acquiring((sound, asked) -> {
			Owner first = next.get(asked.election());
			if (first != null && !first.equals(asked.owner())) {
				return new Held(Optional.empty(), 0, asked.duration(), asked.duration());
			}
			AcquireResult answer = acquire(sound, asked);
			if (answer instanceof Held) {
				next.putIfAbsent(asked.election(), asked.owner());
			}
			return answer;
		});
	}

	static Function<InMemoryLeaseStore, LeaseStore> watchingOnce() {
		return (sound) -> new ForwardingLeaseStore(sound) {

			private boolean watched;

			@Override
			public Optional<LeaseStore.Watch> watch(WakeUps wakeUps) {
				if (this.watched) {
					return Optional.of(() -> {
					});
				}
				this.watched = true;
				return super.watch(wakeUps);
			}

		};
	}

	static WakeUps shouting(WakeUps wakeUps) {
		return new WakeUps() {

			@Override
			public void wakeUp(String election) {
				wakeUps.wakeUp(election.toUpperCase(Locale.ROOT));
			}

			@Override
			public void wakeUpAll() {
				wakeUps.wakeUpAll();
			}

			@Override
			public void leasesLost() {
				wakeUps.leasesLost();
			}

		};
	}

}
