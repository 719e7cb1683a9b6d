package io.leaderelection.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.Renewal;
import io.leaderelection.store.WakeUps;
import io.leaderelection.zookeeper.OwnLeases.Key;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * Keeps leases in ZooKeeper. Each election has a record that is only ever changed by a
 * write conditioned on its version, and a queue of ephemeral sequential nodes that says
 * who stands by and who is woken next.
 *
 * <p>
 * A holder proves that it lives by one write to a node of its session, for all its leases
 * together. Another may take a lease when it is released, or when it has seen record and
 * proof unchanged for as long as the lease lasts, on its own monotonic clock; the write
 * that takes the lease fails if there has been a proof since. So safety rests neither on
 * when ZooKeeper ends a session nor on any clock showing the right time.
 */
public final class ZooKeeperLeaseStore implements LeaseStore, AutoCloseable {

	/** What the record of a lease becomes that is given up. */
	static final Function<Lease, LeaseRecord> FREED = (lease) -> new LeaseRecord.Free(lease.token(), lease.duration());

	private final Tree tree;

	private final Hints hints = new Hints();

	private final Sightings sightings = new Sightings();

	private final OwnLeases own = new OwnLeases();

	private final Looks looks;

	private final Connection connection;

	private final Runnable closing;

	/**
	 * A store on a client that somebody else starts and closes.
	 * @param client the client
	 * @param rootPath the node that all others are kept under
	 */
	public ZooKeeperLeaseStore(CuratorFramework client, String rootPath) {
		this(client.getNamespace(), () -> client, rootPath, new DefaultACLProvider(), () -> {
		});
	}

	/**
	 * A store.
	 * @param namespace that of the client; empty if it has none
	 * @param client the client, which is asked for when it is first needed
	 * @param rootPath the node that all others are kept under
	 * @param acls who may do what with its nodes
	 * @param closing run when the store is closed
	 */
	ZooKeeperLeaseStore(String namespace, Supplier<CuratorFramework> client, String rootPath, ACLProvider acls,
			Runnable closing) {
		this.tree = new Tree(namespace, rootPath);
		this.looks = new Looks(this.tree, this.sightings);
		this.connection = new Connection(client, this.tree, acls, this.hints, this.sightings);
		this.closing = closing;
	}

	@Override
	public List<AcquireResult> acquire(List<Candidacy> candidacies) {
		if (candidacies.isEmpty()) {
			return List.of();
		}
		candidacies.forEach((candidacy) -> this.connection.expectLease(candidacy.duration()));
		Session session = this.connection.session();
		tidy(session,
				candidacies.stream()
					.map((candidacy) -> new Key(candidacy.election(), candidacy.owner()))
					.collect(Collectors.toSet()));
		return new Acquiring(session, this.looks, this.sightings, this.own, candidacies).answers();
	}

	@Override
	public List<RenewResult> renew(List<Renewal> renewals) {
		if (renewals.isEmpty()) {
			return List.of();
		}
		Session session = this.connection.session();
		tidy(session, renewals.stream().map((renewal) -> Key.of(renewal.lease())).collect(Collectors.toSet()));
		return new Renewing(session, this.looks, this.own, renewals).answers();
	}

	@Override
	public void release(List<Lease> leases) {
		if (!leases.isEmpty()) {
			giveUp(leases, FREED);
		}
	}

	@Override
	public void transfer(Lease lease, String nodeId, Duration grace) {
		if (!this.own.hasEnded(lease)) {
			giveUp(List.of(lease), (given) -> new LeaseRecord.Reserved(nodeId, given.token(), grace));
		}
	}

	private void tidy(Session session, Set<Key> askedAbout) {
		List<Lease> doubtful = this.own.tidy(session, askedAbout);
		if (!doubtful.isEmpty()) {
			new GivingUp(session, this.looks, this.own, FREED).giveUp(doubtful);
		}
	}

	private void giveUp(List<Lease> leases, Function<Lease, LeaseRecord> next) {
		// should the call fail, the leases are over for their holder all the same
		for (Lease lease : leases) {
			this.own.giveUp(lease);
		}
		new GivingUp(this.connection.session(), this.looks, this.own, next).giveUp(leases);
	}

	@Override
	public List<String> limits() {
		return List
			.of("A crashed leader is replaced one lease after its last renewal was seen, not when its session ends.");
	}

	@Override
	public Optional<LeaseView> read(String election) {
		Session session = this.connection.session();
		Look look = this.looks.at(session, List.of(election)).get(0);
		LeaseRecord record = look.record();
		if (look.unreadable()) {
			throw new ZooKeeperLeaseStoreException(
					"The node '%s' does not contain the record of an election".formatted(look.path()));
		}
		if (record == null) {
			return Optional.empty();
		}
		if (record instanceof LeaseRecord.Held held) {
			Duration remaining = held.duration().minus(this.sightings.leaseUnchanged(look.path(), held.session()));
			if (!remaining.isNegative() && !remaining.isZero()) {
				return Optional.of(new LeaseView(Optional.of(held.owner()), held.token(), remaining,
						candidates(session, look, Optional.of(held))));
			}
		}
		Duration reserved = (record instanceof LeaseRecord.Reserved)
				? record.duration().minus(this.sightings.recordUnchanged(look.path())) : Duration.ZERO;
		return Optional.of(new LeaseView(Optional.empty(), record.token(),
				reserved.isNegative() ? Duration.ZERO : reserved, candidates(session, look, Optional.empty())));
	}

	private List<String> candidates(Session session, Look look, Optional<LeaseRecord.Held> holder) {
		List<Op> reads = look.candidates()
			.stream()
			.filter((candidate) -> holder.filter((held) -> candidate.isOf(held.owner(), held.session())).isEmpty())
			.map((candidate) -> Op.getData(look.pathOf(candidate)))
			.toList();
		if (reads.isEmpty()) {
			return List.of();
		}
		Set<String> nodeIds = new TreeSet<>();
		for (OpResult result : session.await(session.read(reads))) {
			if (result instanceof OpResult.GetDataResult node) {
				nodeIds.add(NodeNames.decode(new String(node.getData(), StandardCharsets.UTF_8)));
			}
		}
		return new ArrayList<>(nodeIds);
	}

	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		this.connection.session();
		this.hints.add(wakeUps);
		return Optional.of(() -> {
			if (this.hints.remove(wakeUps)) {
				this.own.withdrawAll(this.connection.session());
			}
		});
	}

	@Override
	public void close() {
		this.connection.close();
		this.closing.run();
	}

}
