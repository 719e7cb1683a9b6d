package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.zookeeper.OwnLeases.OwnLease;
import io.leaderelection.zookeeper.OwnLeases.Standing;
import org.apache.zookeeper.data.Stat;

/**
 * Waits for, gives up and takes the lease of an election that does not exist, as if it
 * did: by what is sent and answered, but with writes that leave nothing behind. What this
 * store knows of its real leases is kept out of it.
 */
final class Rehearsal {

	private static final Duration LEASE = Duration.ofSeconds(1);

	private final Session session;

	private final Looks looks;

	private final Lease lease;

	private final String record;

	private final Candidate candidate;

	private final OwnLeases own = new OwnLeases();

	private final Sightings sightings = new Sightings();

	Rehearsal(Session session, Tree tree, Hints hints, Owner owner) {
		this.record = tree.session(session.id()) + "-rehearsal";
		this.session = session.rehearsing(this.record, hints, this.sightings);
		this.looks = new Looks(tree, this.sightings);
		this.lease = new Lease("rehearsal of " + owner.incarnation(), owner, 1, LEASE);
		this.candidate = Candidate.inLine(List.of(Candidate.prefix(owner, session.id()) + "0000000000")).get(0);
	}

	void run() {
		String own = this.record + "/" + this.candidate.name();
		LeaseRecord refusing = new LeaseRecord.Reserved("another node", this.lease.token(), LEASE);
		this.session.watches().follow(this.lease.election(), look(refusing), own);
		this.own.stands(this.lease.election(), this.lease.owner(),
				new Standing(own, this.session.id(), 1, System.nanoTime(), LEASE));
		this.own.proven(OwnLease.held(this.lease, this.session.id(), this.record, 0, own));
		this.own.giveUp(this.lease);
		new GivingUp(this.session, this.looks, this.own, ZooKeeperLeaseStore.FREED).giveUp(List.of(this.lease));
		this.looks.ahead(this.session, this.lease.election());
		Candidacy candidacy = new Candidacy(this.lease.election(), this.lease.owner(), LEASE, 0, false);
		new Acquiring(this.session, this.looks, this.sightings, this.own, List.of(candidacy))
			.attempt(look(ZooKeeperLeaseStore.FREED.apply(this.lease)));
	}

	private Look look(LeaseRecord record) {
		return new Look(this.record, new Stat(), record, false, List.of(this.candidate), Optional.empty());
	}

}
