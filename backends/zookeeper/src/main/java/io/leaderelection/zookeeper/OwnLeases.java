package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import org.apache.zookeeper.Op;

/**
 * The leases that were granted through this store, and where this store's candidates
 * stand. It saves reading; what it says is checked by every write.
 *
 * <p>
 * A lease that is no longer renewed, or whose release failed, would be kept alive by the
 * proofs of life of all others of its session. So it is given up here, along with
 * whatever is asked next; and so is a candidacy that is no longer asked about.
 */
final class OwnLeases {

	private static final int LEASES_UNTIL_FORGOTTEN = 2;

	private final Map<Key, OwnLease> leases = new ConcurrentHashMap<>();

	private final Map<Key, Standing> standings = new ConcurrentHashMap<>();

	/** The lease as it was last known to be held, if its time is not over. */
	Optional<OwnLease> find(Lease lease) {
		OwnLease own = this.leases.get(Key.of(lease));
		return (own != null && own.lease.token() == lease.token()) ? Optional.of(own) : Optional.empty();
	}

	/** Whether the lease is known to have ended by time. */
	boolean hasEnded(Lease lease) {
		return find(lease).filter(OwnLease::hasEnded).isPresent();
	}

	/**
	 * Whether a holder has given this leadership up, though the record says otherwise.
	 */
	boolean isGivenUp(Lease lease, int version) {
		return find(lease).filter((own) -> own.givenUp && own.version == version).isPresent();
	}

	void proven(OwnLease own) {
		this.leases.put(Key.of(own.lease), own);
	}

	/** From now on this leadership is over, whether the record can be changed or not. */
	void giveUp(Lease lease) {
		this.leases.computeIfPresent(Key.of(lease),
				(key, own) -> (own.lease.token() == lease.token()) ? own.over() : own);
	}

	void forget(Lease lease) {
		this.leases.computeIfPresent(Key.of(lease), (key, own) -> (own.lease.token() == lease.token()) ? null : own);
	}

	/**
	 * Makes sure that the session's proof of life is there. If it was not, it counts its
	 * versions anew, and others could mistake one for an earlier one; so all records have
	 * to be written again.
	 */
	void assureProof(Session session) {
		if (session.restoreProof()) {
			this.leases.replaceAll((key, own) -> own.doubted());
		}
	}

	/** The transaction that created a candidate's node, if this store knows it. */
	Optional<Long> czxid(String election, Owner owner, String path) {
		return Optional.ofNullable(this.standings.get(new Key(election, owner)))
			.filter((standing) -> standing.path.equals(path))
			.map(Standing::czxid);
	}

	void stands(String election, Owner owner, Standing standing) {
		this.standings.put(new Key(election, owner), standing);
	}

	/** The holder of a lease stands no longer if its node is among those deleted. */
	void deleted(Lease lease, List<String> paths) {
		this.standings.computeIfPresent(Key.of(lease),
				(key, standing) -> paths.contains(standing.path) ? null : standing);
	}

	/**
	 * Gives up what nobody asks about any more.
	 * @return leases to be given up after another look, since they are not as they were
	 * last known
	 */
	List<Lease> tidy(Session session, Set<Key> askedAbout) {
		List<Lease> doubtful = new ArrayList<>();
		this.leases.forEach((key, own) -> {
			if (askedAbout.contains(key) || !(own.givenUp || own.hasEnded())) {
				return;
			}
			if (own.session != session.id()) {
				doubtful.add(own.lease);
				return;
			}
			session.commit(own.freeing())
				.thenAccept((freed) -> this.leases.computeIfPresent(key,
						(same, present) -> (present != own) ? present : (freed ? null : own.doubted())));
		});
		this.standings.forEach((key, standing) -> {
			if (!askedAbout.contains(key) && standing.isForgotten() && !this.leases.containsKey(key)) {
				withdraw(session, key, standing);
			}
		});
		return doubtful;
	}

	/** Stands for nothing any more. */
	void withdrawAll(Session session) {
		this.standings.forEach((key, standing) -> {
			if (!this.leases.containsKey(key)) {
				withdraw(session, key, standing);
			}
		});
	}

	private void withdraw(Session session, Key key, Standing standing) {
		if (this.standings.remove(key, standing) && standing.session == session.id()) {
			session.delete(standing.path);
		}
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

	}

	/**
	 * Where a candidate stands.
	 *
	 * @param path its node
	 * @param session the session that the node lives with
	 * @param czxid the transaction that created the node
	 * @param askedAt when the candidate last asked
	 * @param duration how long its lease would last
	 */
	record Standing(String path, long session, long czxid, long askedAt, Duration duration) {

		boolean isForgotten() {
			return System.nanoTime() - this.askedAt > LEASES_UNTIL_FORGOTTEN * this.duration.toNanos();
		}

	}

	/**
	 * A lease as it was last known to be held.
	 *
	 * @param lease the lease
	 * @param session the session whose proofs of life count
	 * @param record the path of the record
	 * @param version the version of the record
	 * @param candidate the path of the holder's node
	 * @param provenAt when the last proof of life was answered
	 * @param givenUp whether the holder has given it up
	 */
	record OwnLease(Lease lease, long session, String record, int version, String candidate, long provenAt,
			boolean givenUp) {

		static OwnLease held(Lease lease, long session, String record, int version, String candidate) {
			return new OwnLease(lease, session, record, version, candidate, System.nanoTime(), false);
		}

		OwnLease provenNow() {
			return new OwnLease(this.lease, this.session, this.record, this.version, this.candidate, System.nanoTime(),
					this.givenUp);
		}

		/** In no session, so that its record has to be read and written again. */
		OwnLease doubted() {
			return new OwnLease(this.lease, 0, this.record, this.version, this.candidate, this.provenAt, this.givenUp);
		}

		OwnLease over() {
			return new OwnLease(this.lease, this.session, this.record, this.version, this.candidate, this.provenAt,
					true);
		}

		boolean hasEnded() {
			return System.nanoTime() - this.provenAt >= this.lease.duration().toNanos();
		}

		/**
		 * What has to be true for the lease to be held still. The holder's own node is
		 * part of it: an election that was deleted and created again may have a record of
		 * the same version.
		 */
		List<Op> checks() {
			return List.of(Op.check(this.record, this.version), Op.check(this.candidate, -1));
		}

		List<Op> freeing() {
			return becoming(new LeaseRecord.Free(this.lease.token(), this.lease.duration()));
		}

		List<Op> becoming(LeaseRecord next) {
			List<Op> writes = new ArrayList<>();
			writes.add(Op.setData(this.record, next.toBytes(), this.version));
			writes.add(Op.delete(this.candidate, -1));
			return writes;
		}

	}

}
