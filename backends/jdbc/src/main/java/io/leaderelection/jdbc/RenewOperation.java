package io.leaderelection.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.leaderelection.jdbc.sql.SqlFailures;
import io.leaderelection.jdbc.sql.StatementParameters;
import io.leaderelection.jdbc.sql.StoreConnection;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases of one owner: with one statement if the owner still holds all of them,
 * and with one statement per lease otherwise. A renewal does not access the epoch row, so
 * it does not wait for a transaction that has locked it.
 */
final class RenewOperation {

	private static final RenewResult ABSENT = new RenewResult.Absent();

	private static final RenewResult LOST = new RenewResult.Lost();

	private final StoreConnection connection;

	private final LeaseStatements statements;

	private final Owner owner;

	RenewOperation(StoreConnection connection, LeaseStatements statements, Owner owner) {
		this.connection = connection;
		this.statements = statements;
		this.owner = owner;
	}

	/**
	 * Prolongs the leases.
	 * @param renewals of this owner, in the order of their elections
	 * @return the answer for each renewal
	 */
	Map<RenewRequest, RenewResult> renew(List<RenewRequest> renewals) throws SQLException {
		Set<Lease> extended = extend(renewals.stream().map(RenewRequest::lease).toList());
		List<RenewRequest> refused = renewals.stream()
			.filter((renewal) -> !extended.contains(renewal.lease()))
			.toList();
		Map<String, StoredLease> present = new HashMap<>();
		if (!refused.isEmpty()) {
			this.statements.sessions().requireAlive(this.connection);
			StoredLease
				.look(this.connection, this.statements, this.owner.nodeId(),
						refused.stream().map((renewal) -> renewal.lease().election()).toList())
				.forEach((lease) -> present.put(lease.election(), lease));
		}
		Map<RenewRequest, RenewResult> results = new HashMap<>();
		for (RenewRequest renewal : renewals) {
			results.put(renewal, extended.contains(renewal.lease()) ? renewed(renewal)
					: explain(renewal, present.get(renewal.lease().election())));
		}
		return results;
	}

	/**
	 * Renews leases of which the owner may have lost some.
	 * @return those that the owner still holds
	 */
	Set<Lease> extend(List<Lease> leases) throws SQLException {
		return extendAll(leases) ? new HashSet<>(leases) : extendEach(leases);
	}

	private boolean extendAll(List<Lease> leases) throws SQLException {
		StatementParameters parameters = new StatementParameters().add(this.owner.nodeId())
			.add(this.owner.incarnation());
		int count = parameters.addPadded(leases,
				(lease) -> List.of(lease.election(), lease.token(), StoredLease.micros(lease.duration())));
		return this.connection.update(this.statements.renewAll(count), parameters.list()) == leases.size();
	}

	private Set<Lease> extendEach(List<Lease> leases) throws SQLException {
		Set<Lease> extended = new HashSet<>();
		this.connection.inTransaction(() -> {
			for (Lease lease : leases) {
				long duration = StoredLease.micros(lease.duration());
				if (this.connection.update(this.statements.renew(), List.of(duration, duration, this.owner.nodeId(),
						this.owner.incarnation(), lease.election(), lease.token())) == 1) {
					extended.add(lease);
				}
			}
			return true;
		});
		return extended;
	}

	private RenewResult explain(RenewRequest renewal, @Nullable StoredLease present) throws SQLException {
		if (present != null && present.token() >= renewal.lease().token()) {
			return LOST;
		}
		return renewal.createIfAbsent() ? rewrite(renewal) : ABSENT;
	}

	/**
	 * Writes the record again. The lease row decides: a row with this token or a higher
	 * one is overwritten.
	 */
	private RenewResult rewrite(RenewRequest renewal) throws SQLException {
		try {
			boolean newest = this.connection.inTransaction(() -> {
				boolean raised = raiseEpoch(renewal.lease());
				if (raised) {
					writeLease(renewal.lease());
				}
				return raised;
			});
			return newest ? renewed(renewal) : LOST;
		}
		catch (SQLException ex) {
			if (SqlFailures.isDuplicateKey(ex)) {
				// another node has just written it; the next renewal reads it
				return ABSENT;
			}
			throw ex;
		}
	}

	private boolean raiseEpoch(Lease lease) throws SQLException {
		List<Long> epoch = this.connection.query(this.statements.readEpochs(1),
				(row) -> StoredLease.number(row, "TOKEN"), List.of(lease.election()));
		if (epoch.isEmpty()) {
			this.connection.update(this.statements.insertEpoch(), List.of(lease.election(), lease.token()));
		}
		else if (epoch.get(0) < lease.token()) {
			this.connection.update(this.statements.raiseEpoch(),
					List.of(lease.token(), lease.election(), lease.token()));
		}
		return epoch.isEmpty() || epoch.get(0) <= lease.token();
	}

	private void writeLease(Lease lease) throws SQLException {
		List<Object> insertion = StoredLease.insertion(lease.token(), this.owner, lease.duration(), lease.election());
		List<Object> parameters = new ArrayList<>(insertion);
		parameters.add(lease.token());
		if (this.connection.update(this.statements.rewrite(), parameters) == 0) {
			this.connection.update(this.statements.insertLease(), insertion);
		}
	}

	private static RenewResult renewed(RenewRequest renewal) {
		return new RenewResult.Renewed(renewal.lease().duration());
	}

}
