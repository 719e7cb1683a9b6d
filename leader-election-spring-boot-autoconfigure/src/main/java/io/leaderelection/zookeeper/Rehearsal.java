package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.zookeeper.OwnLeases.OwnLease;
import org.apache.zookeeper.data.Stat;

/**
 * Gives up and takes the lease of an election that does not exist, as if it did. Each
 * write is conditioned on nodes that are not there, so that nothing comes of it, and what
 * this store knows of its real leases is kept out of it.
 */
final class Rehearsal {

	private static final Duration LEASE = Duration.ofSeconds(1);

	private final Session session;

	private final Tree tree;

	private final Lease lease;

	private final String record;

	private final Candidate candidate;

	private final OwnLeases own = new OwnLeases();

	private final Sightings sightings = new Sightings();

	Rehearsal(Session session, Tree tree, Owner owner) {
		this.session = session;
		this.tree = tree;
		this.lease = new Lease("rehearsal of " + owner.incarnation(), owner, 1, LEASE);
		this.record = tree.election(this.lease.election());
		this.candidate = Candidate.inLine(List.of(Candidate.prefix(owner, session.id()) + "0000000000")).get(0);
	}

	void run() {
		Looks looks = new Looks(this.tree, this.sightings);
		this.own.proven(OwnLease.held(this.lease, this.session.id(), this.record, 0,
				this.record + "/" + this.candidate.name()));
		this.own.giveUp(this.lease);
		new GivingUp(this.session, looks, this.own, ZooKeeperLeaseStore.FREED).giveUp(List.of(this.lease));
		Look free = new Look(this.record, new Stat(), ZooKeeperLeaseStore.FREED.apply(this.lease), false,
				List.of(this.candidate), Optional.empty());
		Candidacy candidacy = new Candidacy(this.lease.election(), this.lease.owner(), LEASE, 0, false);
		new Acquiring(this.session, looks, this.sightings, this.own, List.of(candidacy)).attempt(free);
		this.session.rehearse();
	}

}
