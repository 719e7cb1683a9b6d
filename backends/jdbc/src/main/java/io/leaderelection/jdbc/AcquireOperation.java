package io.leaderelection.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import io.leaderelection.jdbc.session.SessionMark;
import io.leaderelection.jdbc.sql.SqlFailures;
import io.leaderelection.jdbc.sql.StatementParameters;
import io.leaderelection.jdbc.sql.StoreConnection;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * Acquires leases for one candidate. One read covers all leases. Only leases that appear
 * free are written, on condition that they are still free. Where the database supports
 * it, read and write are one statement.
 *
 * <p>
 * A new token is granted only while the election's epoch row is locked. A transaction
 * that writes under a token may hold a shared lock on that row until it ends, which
 * delays the takeover. This operation never waits for the lock, so such a transaction
 * does not delay other elections. It retries a few times, because the lock is usually
 * held by another candidate for a moment, and then asks the candidate to call again.
 */
final class AcquireOperation {

	/** Between the looks at such a lease: a transaction of another candidate is short. */
	private static final List<Duration> PAUSES = List.of(Duration.ofMillis(2), Duration.ofMillis(6),
			Duration.ofMillis(20));

	private static final AcquireResult ABSENT = new AcquireResult.Absent();

	private final StoreConnection connection;

	private final LeaseStatements statements;

	private final Owner owner;

	private final CorruptRows corruptRows;

	private final BlockedTakeovers blocked;

	private final Map<String, StoredLease> seen = new HashMap<>();

	private final Map<String, Long> taken = new HashMap<>();

	private final Map<String, AcquireResult> results = new HashMap<>();

	private final List<AcquireRequest> contested = new ArrayList<>();

	private final List<AcquireRequest> quarantined = new ArrayList<>();

	private final Set<AcquireRequest> spent = new HashSet<>();

	private @Nullable Long now;

	AcquireOperation(StoreConnection connection, LeaseStatements statements, Owner owner, CorruptRows corruptRows,
			BlockedTakeovers blocked) {
		this.connection = connection;
		this.statements = statements;
		this.owner = owner;
		this.corruptRows = corruptRows;
		this.blocked = blocked;
	}

	/**
	 * Asks for the leases.
	 * @param candidacies of this owner, in the order of their elections
	 * @return the answer for each election
	 */
	Map<String, AcquireResult> acquire(List<AcquireRequest> candidacies) throws SQLException {
		ask(candidacies, this.statements.looksAndTakes());
		for (int round = 0; round < PAUSES.size() && !this.contested.isEmpty(); round++) {
			LockSupport.parkNanos(PAUSES.get(round).toNanos());
			List<AcquireRequest> again = List.copyOf(this.contested);
			this.contested.clear();
			ask(again, false);
		}
		this.results.keySet().forEach(this.blocked::ended);
		for (AcquireRequest candidacy : this.contested) {
			this.results.put(candidacy.election(), this.blocked.held(this.connection, this.statements, candidacy,
					this.seen.get(candidacy.election())));
		}
		List<AcquireRequest> refused = candidacies.stream()
			.filter((candidacy) -> this.results.get(candidacy.election()) instanceof AcquireResult.Held)
			.toList();
		new CandidateRows(this.connection, this.statements, this.owner.nodeId()).remember(refused, this.seen);
		return this.results;
	}

	/** The sessions that hold refused leases, by election. */
	Map<String, SessionMark> leaders() {
		Map<String, SessionMark> leaders = new HashMap<>();
		this.seen.forEach((election, lease) -> {
			SessionMark leader = lease.leader();
			if (leader != null && this.results.get(election) instanceof AcquireResult.Held) {
				leaders.put(election, leader);
			}
		});
		return leaders;
	}

	/**
	 * Looks, and takes what is free.
	 * @param hurry whether to leave a free lease that was not taken along with the look
	 * for the next time: mostly another candidate is about to have it
	 */
	private void ask(List<AcquireRequest> candidacies, boolean hurry) throws SQLException {
		look(candidacies);
		List<AcquireRequest> free = new ArrayList<>();
		List<Lease> granted = new ArrayList<>();
		for (AcquireRequest candidacy : candidacies) {
			StoredLease lease = this.seen.get(candidacy.election());
			Long token = this.taken.get(candidacy.election());
			if (token != null) {
				this.results.put(candidacy.election(), new AcquireResult.Granted(token, candidacy.duration()));
			}
			else if (lease == null && !candidacy.createIfAbsent()) {
				this.results.put(candidacy.election(), ABSENT);
			}
			else if (lease != null && lease.isValid() && this.statements.sessions().isOfAnotherTimeline(lease.mark())) {
				this.quarantined.add(candidacy);
			}
			else if (lease == null || lease.isFreeFor(candidacy)) {
				((hurry && lease != null) ? this.contested : free).add(candidacy);
			}
			else if (!lease.isValid()) {
				this.corruptRows.reportInvalid(lease);
				this.results.put(candidacy.election(), held(candidacy, candidacy.duration()));
			}
			else if (lease.isGrantedTo(candidacy)) {
				granted.add(new Lease(candidacy.election(), this.owner, lease.token(), candidacy.duration()));
			}
			else {
				this.corruptRows.clear(candidacy.election());
				this.results.put(candidacy.election(), lease.held());
			}
		}
		keep(granted, candidacies);
		take(free);
		quarantine();
	}

	private void quarantine() throws SQLException {
		for (AcquireRequest candidacy : this.quarantined) {
			StoredLease lease = Objects.requireNonNull(this.seen.get(candidacy.election()));
			Duration quarantine = lease.quarantine(candidacy);
			long micros = StoredLease.micros(quarantine);
			if (this.connection.update(this.statements.quarantine(),
					List.of(micros, micros, candidacy.election(), lease.token())) == 1) {
				this.results.put(candidacy.election(), held(candidacy, quarantine));
			}
			else {
				this.contested.add(candidacy);
			}
		}
		this.quarantined.clear();
	}

	private void look(List<AcquireRequest> candidacies) throws SQLException {
		candidacies.forEach((candidacy) -> this.seen.remove(candidacy.election()));
		if (this.statements.looksAndTakes() && lookAndTake(candidacies)) {
			return;
		}
		for (StoredLease lease : StoredLease.look(this.connection, this.statements, this.owner.nodeId(),
				candidacies.stream().map(AcquireRequest::election).toList())) {
			this.seen.put(lease.election(), lease);
			this.now = lease.now();
		}
	}

	/** What could not be taken in this way, such as a lease without a row, is left. */
	private boolean lookAndTake(List<AcquireRequest> candidacies) throws SQLException {
		StatementParameters parameters = new StatementParameters();
		int count = parameters.addPadded(candidacies, (candidacy) -> List.of(candidacy.election(),
				candidacy.tokenFloor(), StoredLease.micros(candidacy.duration())));
		String nodeId = this.owner.nodeId();
		parameters.add(nodeId).add(nodeId).add(this.owner.incarnation()).add(nodeId).add(nodeId).add(nodeId);
		try {
			this.connection.query(this.statements.lookAndTake(count), (row) -> {
				StoredLease lease = StoredLease.from(row);
				this.seen.put(lease.election(), lease);
				this.now = lease.now();
				long token = row.getLong("GRANTED");
				return row.wasNull() ? null : this.taken.put(lease.election(), token);
			}, parameters.list());
			return true;
		}
		catch (SQLException ex) {
			if (SqlFailures.isConflict(ex)) {
				// the connection's isolation is stricter than needed; the long way sets
				// it
				return false;
			}
			throw ex;
		}
	}

	/** An answer that was lost, or came too late, is given again. */
	private void keep(List<Lease> granted, List<AcquireRequest> candidacies) throws SQLException {
		if (granted.isEmpty()) {
			return;
		}
		Set<Lease> kept = new RenewOperation(this.connection, this.statements, this.owner).extend(granted);
		kept.forEach((lease) -> this.results.put(lease.election(),
				new AcquireResult.Granted(lease.token(), lease.duration())));
		Set<String> lost = granted.stream()
			.filter((lease) -> !kept.contains(lease))
			.map(Lease::election)
			.collect(Collectors.toSet());
		candidacies.stream().filter((candidacy) -> lost.contains(candidacy.election())).forEach(this.contested::add);
	}

	/** All in one transaction, or one transaction each if that fails. */
	private void take(List<AcquireRequest> free) throws SQLException {
		if (free.isEmpty() || takeTogether(free)) {
			return;
		}
		for (AcquireRequest candidacy : free) {
			if (free.size() == 1 || !takeTogether(List.of(candidacy))) {
				this.contested.add(candidacy);
			}
		}
	}

	private boolean takeTogether(List<AcquireRequest> wanted) throws SQLException {
		List<Grant> grants = new ArrayList<>();
		try {
			boolean taken = this.connection.inTransaction(() -> {
				this.statements.sessions().requireAlive(this.connection);
				grants.addAll(prepareGrants(wanted));
				return write(grants);
			});
			if (taken) {
				accept(wanted, grants);
			}
			return taken;
		}
		catch (SQLException ex) {
			if (SqlFailures.isDuplicateKey(ex)) {
				// another candidate was the first to create the record
				return false;
			}
			throw ex;
		}
	}

	private void accept(List<AcquireRequest> wanted, List<Grant> grants) {
		Set<AcquireRequest> left = new LinkedHashSet<>(wanted);
		for (Grant grant : grants) {
			AcquireRequest candidacy = grant.candidacy();
			left.remove(candidacy);
			this.corruptRows.clear(candidacy.election());
			this.results.put(candidacy.election(), new AcquireResult.Granted(grant.token(), candidacy.duration()));
		}
		for (AcquireRequest candidacy : left) {
			if (this.spent.contains(candidacy)) {
				this.results.put(candidacy.election(), held(candidacy, candidacy.duration()));
			}
			else {
				this.contested.add(candidacy);
			}
		}
	}

	private List<Grant> prepareGrants(List<AcquireRequest> wanted) throws SQLException {
		Map<String, Long> locked = epochs(wanted, true);
		List<AcquireRequest> others = wanted.stream()
			.filter((candidacy) -> !locked.containsKey(candidacy.election()))
			.toList();
		Map<String, Long> lockedByOthers = others.isEmpty() ? Map.of() : epochs(others, false);
		List<Grant> grants = new ArrayList<>();
		for (AcquireRequest candidacy : wanted) {
			StoredLease lease = this.seen.get(candidacy.election());
			Long epoch = locked.get(candidacy.election());
			long last = Math.max((lease != null) ? lease.token() : 0, (epoch != null) ? epoch : 0);
			if (!lockedByOthers.containsKey(candidacy.election()) && !isSpent(candidacy, last)) {
				long token = Math.max(Math.max(last, candidacy.tokenFloor()) + 1, now());
				grants.add(new Grant(candidacy, lease, epoch, token));
			}
		}
		return grants;
	}

	private boolean isSpent(AcquireRequest candidacy, long last) {
		if (Math.max(last, candidacy.tokenFloor()) < Long.MAX_VALUE - 1) {
			return false;
		}
		this.corruptRows.reportExhausted(candidacy.election());
		this.spent.add(candidacy);
		return true;
	}

	private long now() throws SQLException {
		if (this.now == null) {
			this.now = this.connection.query(this.statements.now(), (row) -> row.getLong(1), List.of()).get(0);
		}
		return this.now;
	}

	private Map<String, Long> epochs(List<AcquireRequest> candidacies, boolean lock) throws SQLException {
		StatementParameters parameters = new StatementParameters();
		int count = parameters.addPadded(candidacies, (candidacy) -> List.of(candidacy.election()));
		String sql = lock ? this.statements.lockEpochs(count) : this.statements.readEpochs(count);
		Map<String, Long> tokens = new HashMap<>();
		this.connection.query(sql, (row) -> tokens.put(row.getString("ELECTION"), StoredLease.number(row, "TOKEN")),
				parameters.list());
		return tokens;
	}

	/** The epoch row of every grant is locked, or locked by its insertion here. */
	private boolean write(List<Grant> grants) throws SQLException {
		this.connection.batch(this.statements.insertEpoch(),
				grants.stream().filter((grant) -> grant.epoch() == null).map(Grant::insertEpoch).toList());
		int[] taken = this.connection.batch(this.statements.take(),
				grants.stream().filter((grant) -> grant.lease() != null).map(Grant::take).toList());
		for (int count : taken) {
			if (count != 1) {
				return false;
			}
		}
		this.connection.batch(this.statements.insertLease(),
				grants.stream().filter((grant) -> grant.lease() == null).map(Grant::insertLease).toList());
		this.connection.batch(this.statements.raiseEpoch(),
				grants.stream().filter((grant) -> grant.epoch() != null).map(Grant::raiseEpoch).toList());
		List<String> remembered = grants.stream()
			.filter((grant) -> grant.lease() != null && grant.lease().standbyUntil() != null)
			.map((grant) -> grant.candidacy().election())
			.toList();
		new CandidateRows(this.connection, this.statements, this.owner.nodeId()).leave(remembered);
		return true;
	}

	private AcquireResult.Held held(AcquireRequest candidacy, Duration remaining) {
		StoredLease lease = this.seen.get(candidacy.election());
		return (lease != null) ? lease.contested(remaining, candidacy, null)
				: new AcquireResult.Held(Optional.empty(), 0, remaining, candidacy.duration());
	}

	/**
	 * A lease to be granted.
	 *
	 * @param candidacy who wants it
	 * @param lease its row as it was seen; none if there is none
	 * @param epoch the highest token; none if there is no row
	 * @param token the new token
	 */
	private record Grant(AcquireRequest candidacy, @Nullable StoredLease lease, @Nullable Long epoch, long token) {

		List<Object> insertEpoch() {
			return List.of(this.candidacy.election(), this.token);
		}

		List<Object> raiseEpoch() {
			return List.of(this.token, this.candidacy.election(), this.token);
		}

		List<Object> insertLease() {
			return StoredLease.insertion(this.token, this.candidacy.owner(), this.candidacy.duration(),
					this.candidacy.election());
		}

		List<Object> take() {
			List<Object> parameters = new ArrayList<>(insertLease());
			parameters.add((this.lease != null) ? this.lease.token() : 0L);
			parameters.add(this.candidacy.owner().nodeId());
			return parameters;
		}

	}

}
