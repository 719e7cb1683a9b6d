package io.leaderelection.etcd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;

/**
 * The leases that were granted through this store or may have been, and where its
 * candidates stand. It saves reading; what it says is checked by every write.
 *
 * <p>
 * A lease that is no longer renewed, or whose grant or release was never answered, would
 * be kept alive by the proofs of life of all others of its node. So it is given up here,
 * along with whatever is asked next; and so is a candidacy that is no longer asked about.
 */
final class OwnLeases {

	private static final int LEASES_UNTIL_FORGOTTEN = 2;

	private final Keys keys;

	private final Map<Key, OwnLease> leases = new ConcurrentHashMap<>();

	private final Map<Key, OwnLease> requests = new ConcurrentHashMap<>();

	private final Map<Key, Standing> standings = new ConcurrentHashMap<>();

	OwnLeases(Keys keys) {
		this.keys = keys;
	}

	Optional<OwnLease> find(Lease lease) {
		OwnLease own = this.leases.get(Key.of(lease));
		return (own != null && own.lease.token() == lease.token()) ? Optional.of(own) : Optional.empty();
	}

	/** Whether this leadership is over for its holder, whatever the record says. */
	boolean isOver(Lease lease) {
		return find(lease).filter((own) -> own.givenUp || own.hasEnded()).isPresent();
	}

	boolean isGivenUp(Lease lease) {
		return find(lease).filter(OwnLease::givenUp).isPresent();
	}

	/** Takes note, before it is sent, of a request that may be granted unheard. */
	void asks(OwnLease wanted) {
		this.requests.put(Key.of(wanted.lease), wanted);
	}

	void isRefused(OwnLease wanted) {
		this.requests.remove(Key.of(wanted.lease), wanted);
	}

	void holds(OwnLease own) {
		this.leases.put(Key.of(own.lease), own);
		this.requests.computeIfPresent(Key.of(own.lease),
				(key, wanted) -> (wanted.lease.token() <= own.lease.token()) ? null : wanted);
	}

	/** From now on this leadership is over, whether the record can be changed or not. */
	void giveUp(Lease lease) {
		this.leases.computeIfPresent(Key.of(lease),
				(key, own) -> (own.lease.token() == lease.token()) ? own.over() : own);
	}

	void forget(Lease lease) {
		this.leases.computeIfPresent(Key.of(lease), (key, own) -> (own.lease.token() == lease.token()) ? null : own);
	}

	/** Gives up what nobody asks about any more; nobody waits for the answers. */
	void tidy(Etcd etcd, Set<Key> askedAbout) {
		for (Map<Key, OwnLease> known : List.of(this.leases, this.requests)) {
			known.forEach((key, own) -> {
				if (!askedAbout.contains(key) && (own.givenUp || own.hasEnded())) {
					// not as it was known: then others have changed it since
					etcd.commit(List.of(Seen.has(this.keys.record(key.election), own.record.toBytes())),
							List.of(put(key.election, LeaseRecord.free(own.lease))))
						.thenRun(() -> known.remove(key, own));
				}
			});
		}
		List<Op> withdrawals = new ArrayList<>();
		this.standings.forEach((key, standing) -> {
			if (!askedAbout.contains(key) && standing.isForgotten() && this.standings.remove(key, standing)) {
				withdrawals.add(withdrawal(key));
			}
		});
		send(etcd, withdrawals);
	}

	Op put(String election, LeaseRecord record) {
		return Op.put(this.keys.record(election), record.toBytes(), PutOption.DEFAULT);
	}

	/** What makes a candidate stand by no longer. */
	Op withdrawal(Key key) {
		return Op.delete(this.keys.candidate(key.election, key.owner), DeleteOption.DEFAULT);
	}

	/** Remembers candidates as standing by, for as long as the session lasts. */
	void stand(Etcd etcd, Session session, List<Candidacy> refused) {
		List<Op> writes = new ArrayList<>();
		for (Candidacy candidacy : refused) {
			Key key = Key.of(candidacy);
			Standing standing = this.standings.get(key);
			if (standing == null || !standing.session.equals(session)) {
				writes.add(session.attached(this.keys.candidate(key.election, key.owner), Keys.bytes("")));
			}
		}
		etcd.awaitAll(send(etcd, writes));
		long now = System.nanoTime();
		refused.forEach(
				(candidacy) -> this.standings.put(Key.of(candidacy), new Standing(session, now, candidacy.duration())));
	}

	void standsNoLonger(Key key) {
		this.standings.remove(key);
	}

	/** Stands for nothing any more. */
	void withdrawAll(Etcd etcd) {
		List<Op> withdrawals = this.standings.keySet().stream().map(this::withdrawal).toList();
		this.standings.clear();
		send(etcd, withdrawals);
	}

	private static List<CompletableFuture<Boolean>> send(Etcd etcd, List<Op> writes) {
		List<CompletableFuture<Boolean>> answers = new ArrayList<>();
		for (int i = 0; i < writes.size(); i += Etcd.OPERATIONS_PER_REQUEST) {
			answers.add(etcd.commit(List.of(),
					writes.subList(i, Math.min(i + Etcd.OPERATIONS_PER_REQUEST, writes.size()))));
		}
		return answers;
	}

	/**
	 * Who holds or wants what.
	 *
	 * @param election the election
	 * @param owner the holder or candidate
	 */
	record Key(String election, Owner owner) {

		static Key of(Lease lease) {
			return new Key(lease.election(), lease.owner());
		}

		static Key of(Candidacy candidacy) {
			return new Key(candidacy.election(), candidacy.owner());
		}

	}

	private record Standing(Session session, long askedAt, Duration duration) {

		boolean isForgotten() {
			return System.nanoTime() - this.askedAt > LEASES_UNTIL_FORGOTTEN * this.duration.toNanos();
		}

	}

	/**
	 * A lease as it was last known to be held.
	 *
	 * @param lease the lease
	 * @param record what stands in etcd
	 * @param sentAt when the last request was sent that was answered with yes
	 * @param givenUp whether the holder has given it up
	 */
	record OwnLease(Lease lease, LeaseRecord record, long sentAt, boolean givenUp) {

		static OwnLease of(Lease lease, Session session, long sentAt) {
			return new OwnLease(lease, LeaseRecord.held(lease, session.id()), sentAt, false);
		}

		boolean isIn(Session session) {
			return session.id().equals(this.record.session());
		}

		OwnLease provenAt(long sent) {
			return new OwnLease(this.lease, this.record, sent, this.givenUp);
		}

		OwnLease over() {
			return new OwnLease(this.lease, this.record, this.sentAt, true);
		}

		boolean hasEnded() {
			return System.nanoTime() - this.sentAt >= this.lease.duration().toNanos();
		}

	}

}
