package io.leaderelection.etcd;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import io.leaderelection.etcd.OwnLeases.OwnLease;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;

/**
 * Gives up and takes the lease of an election that does not exist, as if it did: by what
 * is sent and answered, but on conditions that are never met. What this store knows of
 * its real leases is kept out of it.
 */
final class Rehearsal {

	private static final Duration LEASE = Duration.ofSeconds(1);

	private final Etcd etcd;

	private final Session session;

	private final Keys keys;

	private final InstantSource clock;

	/**
	 * Prepares a rehearsal.
	 * @param etcd a way to etcd by which nothing is written
	 * @param session the session that leases would be held in
	 * @param keys where records would be
	 * @param clock what tokens would rise with
	 */
	Rehearsal(Etcd etcd, Session session, Keys keys, InstantSource clock) {
		this.etcd = etcd;
		this.session = session;
		this.keys = keys;
		this.clock = clock;
	}

	void run(Owner owner) {
		Lease lease = new Lease("rehearsal of " + owner.incarnation(), owner, 1, LEASE);
		OwnLeases own = new OwnLeases(this.keys);
		Sightings sightings = new Sightings();
		Looks looks = new Looks(this.keys, sightings);
		own.holds(OwnLease.of(lease, this.session, System.nanoTime()));
		new GivingUp(this.etcd, this.keys, own, LeaseRecord::free).giveUp(looks, List.of(lease));
		Look free = looks.shown(lease.election(), new Seen(1, LeaseRecord.free(lease).toBytes()));
		Candidacy candidacy = new Candidacy(lease.election(), owner, LEASE, lease.token(), false);
		new Acquiring(this.etcd, this.session, this.keys, sightings, own, this.clock, List.of(candidacy)).attempt(free);
	}

}
