package io.leaderelection.etcd;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.leaderelection.etcd.OwnLeases.Key;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.Renewal;
import io.leaderelection.store.WakeUps;

/**
 * Keeps leases in etcd. Each election has a record that is only ever changed by a
 * transaction conditioned on what it was.
 *
 * <p>
 * A holder proves that it lives by one write to a key of its node, for all its leases
 * together. Another may take a lease when it is released, or when it has seen record and
 * proof unchanged for as long as the lease lasts, on its own monotonic clock; the write
 * that takes the lease fails if there has been a proof since. So safety rests neither on
 * when etcd ends its own leases, nor on who answers keep-alives, nor on any clock showing
 * the right time.
 */
public final class EtcdLeaseStore implements LeaseStore, AutoCloseable {

	private static final Duration SHORTEST_LIMIT = Duration.ofMillis(500);

	private static final Duration LIMIT_OF_OTHER_CALLS = Duration.ofSeconds(3);

	private final Client client;

	private final Keys keys;

	private final InstantSource clock;

	private final Runnable closing;

	private final Sightings sightings = new Sightings();

	private final OwnLeases own;

	private final Looks looks;

	private final Watching watching;

	private final Sessions sessions;

	/**
	 * A store on a client that somebody else closes.
	 * @param client the client
	 * @param prefix what all keys begin with
	 */
	public EtcdLeaseStore(Client client, String prefix) {
		this(client, prefix, Duration.ofSeconds(5), InstantSource.system(), () -> {
		});
	}

	EtcdLeaseStore(Client client, String prefix, Duration connectTimeout, InstantSource clock, Runnable closing) {
		this.client = client;
		this.keys = new Keys(prefix);
		this.clock = clock;
		this.closing = closing;
		this.own = new OwnLeases(this.keys);
		this.looks = new Looks(this.keys, this.sightings);
		this.sessions = new Sessions(client, this.keys, connectTimeout);
		this.watching = new Watching(client, this.keys, this.looks, this.sightings, this.sessions);
	}

	@Override
	public List<AcquireResult> acquire(List<Candidacy> candidacies) {
		if (candidacies.isEmpty()) {
			return List.of();
		}
		// before the look: what becomes free after it must not be missed
		candidacies.forEach((candidacy) -> this.watching.waitsFor(candidacy.election()));
		List<AcquireResult> answers = inSession(candidacies.stream().map(Candidacy::duration), (etcd, session) -> {
			this.own.tidy(etcd, candidacies.stream().map(Key::of).collect(Collectors.toSet()));
			return new Acquiring(etcd, session, this.keys, this.sightings, this.own, this.clock, candidacies)
				.answers(this.looks, this.watching, this.sessions);
		});
		for (int i = 0; i < answers.size(); i++) {
			if (answers.get(i) instanceof AcquireResult.Granted) {
				this.watching.waitsNoLongerFor(candidacies.get(i).election());
			}
		}
		return answers;
	}

	@Override
	public List<RenewResult> renew(List<Renewal> renewals) {
		if (renewals.isEmpty()) {
			return List.of();
		}
		List<Lease> leases = renewals.stream().map(Renewal::lease).toList();
		return inSession(leases.stream().map(Lease::duration), (etcd, session) -> {
			this.own.tidy(etcd, leases.stream().map(Key::of).collect(Collectors.toSet()));
			return new Renewing(etcd, session, this.keys, this.own, renewals).answers(this.looks, this.sessions);
		});
	}

	/** A session that turns out to have ended is begun anew, once. */
	private <T> T inSession(Stream<Duration> durations, BiFunction<Etcd, Session, T> call) {
		List<Duration> leases = durations.sorted().toList();
		Duration longest = leases.get(leases.size() - 1);
		Session session = this.sessions.session(longest);
		Etcd etcd = etcd(leases.get(0));
		try {
			return call.apply(etcd, session);
		}
		catch (Etcd.SessionGoneException ex) {
			this.sessions.isGone(session.id());
			return call.apply(etcd, this.sessions.session(longest));
		}
	}

	private Etcd etcd(Duration lease) {
		Duration third = lease.dividedBy(3);
		return Etcd.within(this.client, (third.compareTo(SHORTEST_LIMIT) > 0) ? third : SHORTEST_LIMIT);
	}

	@Override
	public void release(List<Lease> leases) {
		giveUp(leases, LeaseRecord::free);
	}

	@Override
	public void transfer(Lease lease, String nodeId, Duration grace) {
		if (!this.own.isOver(lease)) {
			giveUp(List.of(lease), (given) -> LeaseRecord.reserved(given, nodeId, grace));
		}
	}

	private void giveUp(List<Lease> leases, Function<Lease, LeaseRecord> next) {
		leases.stream()
			.map(Lease::duration)
			.min(Comparator.naturalOrder())
			.ifPresent(
					(shortest) -> new GivingUp(etcd(shortest), this.keys, this.own, next).giveUp(this.looks, leases));
	}

	@Override
	public Optional<LeaseView> read(String election) {
		Etcd etcd = Etcd.within(this.client, LIMIT_OF_OTHER_CALLS);
		Look look = this.looks.at(etcd, List.of(election)).get(0);
		LeaseRecord record = look.record();
		if (look.isUnreadable()) {
			throw new EtcdLeaseStoreException(
					"The key '%s' does not hold the record of an election".formatted(this.keys.record(election)));
		}
		if (record == null) {
			return Optional.empty();
		}
		Duration unchanged = this.sightings.recordUnchanged(election, look.seen());
		if (record.session() != null) {
			Duration ofProof = this.sightings.proofUnchanged(record.session(), look.proof());
			unchanged = (ofProof.compareTo(unchanged) < 0) ? ofProof : unchanged;
		}
		Duration remaining = record.isForAnybody() ? Duration.ZERO : record.duration().minus(unchanged);
		boolean over = remaining.compareTo(Duration.ZERO) <= 0;
		Optional<Owner> holder = over ? Optional.empty() : Optional.ofNullable(record.holder());
		return Optional.of(new LeaseView(holder, record.token(), over ? Duration.ZERO : remaining,
				candidates(etcd, election, holder)));
	}

	private List<String> candidates(Etcd etcd, String election, Optional<Owner> holder) {
		return etcd.list(this.keys.candidates(election))
			.stream()
			.map(KeyValue::getKey)
			.flatMap((key) -> Keys.ownerOf(key).stream())
			.filter((owner) -> holder.filter(owner::equals).isEmpty())
			.map(Owner::nodeId)
			.distinct()
			.sorted()
			.toList();
	}

	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		this.watching.add(wakeUps);
		return Optional.of(() -> {
			if (this.watching.remove(wakeUps)) {
				this.own.withdrawAll(Etcd.within(this.client, LIMIT_OF_OTHER_CALLS));
			}
		});
	}

	@Override
	public void rehearse(Owner owner) {
		Session session = this.sessions.session(Duration.ZERO);
		new Rehearsal(Etcd.rehearsing(this.client, LIMIT_OF_OTHER_CALLS), session, this.keys, this.clock).run(owner);
	}

	@Override
	public List<String> limits() {
		return List.of(
				"A restored snapshot or an emptied data directory brings back old leases or none: nodes that have seen "
						+ "newer ones wait for their end, nodes that start meanwhile do not, and tokens go on by the clocks "
						+ "of the nodes.",
				"A crashed leader is replaced one lease after its last renewal was seen, not when its etcd lease ends.");
	}

	@Override
	public void close() {
		this.watching.close();
		this.sessions.close();
		this.closing.run();
	}

}
