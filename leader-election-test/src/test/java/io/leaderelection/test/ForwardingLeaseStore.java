package io.leaderelection.test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.Renewal;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.memory.InMemoryLeaseStore;

/**
 * Does all that a sound store does; to be broken in one place.
 */
class ForwardingLeaseStore implements LeaseStore {

	final InMemoryLeaseStore sound;

	ForwardingLeaseStore(InMemoryLeaseStore sound) {
		this.sound = sound;
	}

	@Override
	public List<AcquireResult> acquire(List<Candidacy> candidacies) {
		return candidacies.stream().map(this::acquireOne).toList();
	}

	AcquireResult acquireOne(Candidacy candidacy) {
		return this.sound.acquire(List.of(candidacy)).get(0);
	}

	@Override
	public List<RenewResult> renew(List<Renewal> renewals) {
		return renewals.stream().map(this::renewOne).toList();
	}

	RenewResult renewOne(Renewal renewal) {
		return this.sound.renew(List.of(renewal)).get(0);
	}

	@Override
	public void release(List<Lease> leases) {
		leases.forEach(this::releaseOne);
	}

	void releaseOne(Lease lease) {
		this.sound.release(List.of(lease));
	}

	@Override
	public void transfer(Lease lease, String nodeId, Duration grace) {
		this.sound.transfer(lease, nodeId, grace);
	}

	@Override
	public Optional<LeaseView> read(String election) {
		return this.sound.read(election);
	}

	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		return this.sound.watch(wakeUps);
	}

	static Function<InMemoryLeaseStore, LeaseStore> acquiring(
			BiFunction<InMemoryLeaseStore, Candidacy, AcquireResult> breakage) {
		return (sound) -> new ForwardingLeaseStore(sound) {

			@Override
			AcquireResult acquireOne(Candidacy candidacy) {
				return breakage.apply(sound, candidacy);
			}

		};
	}

	static Function<InMemoryLeaseStore, LeaseStore> renewing(
			BiFunction<InMemoryLeaseStore, Renewal, RenewResult> breakage) {
		return (sound) -> new ForwardingLeaseStore(sound) {

			@Override
			RenewResult renewOne(Renewal renewal) {
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
			BiFunction<InMemoryLeaseStore, WakeUps, Optional<Watch>> breakage) {
		return (sound) -> new ForwardingLeaseStore(sound) {

			@Override
			public Optional<Watch> watch(WakeUps wakeUps) {
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
			AcquireResult acquireOne(Candidacy candidacy) {
				return super.acquireOne(
						new Candidacy(election.apply(candidacy.election()), owner.apply(candidacy.owner()),
								candidacy.duration(), candidacy.tokenFloor(), candidacy.createIfAbsent()));
			}

			@Override
			RenewResult renewOne(Renewal renewal) {
				return super.renewOne(new Renewal(written(renewal.lease()), renewal.createIfAbsent()));
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

}
