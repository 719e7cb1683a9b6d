package io.leaderelection.jdbc;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.leaderelection.jdbc.session.SessionMark;
import io.leaderelection.jdbc.sql.StatementParameters;
import io.leaderelection.jdbc.sql.StoreConnection;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * The row of an election as one candidate saw it. Times are in microseconds of the
 * database's clock.
 *
 * @param election the election
 * @param token the token of the last leadership
 * @param owner who holds the lease; none if it was given up or is reserved
 * @param reservedFor the node that it is reserved for, if any
 * @param expiresAt when it ends
 * @param duration how long it lasts from each renewal on
 * @param standbyUntil until when the candidate is remembered, if it is
 * @param now when it was seen
 * @param mark the session that it is or was bound to, if any
 * @param sessionEnded whether that session has ended, so that it is free
 */
record StoredLease(String election, long token, @Nullable Owner owner, @Nullable String reservedFor, long expiresAt,
		long duration, @Nullable Long standbyUntil, long now, @Nullable SessionMark mark, boolean sessionEnded) {

	static final int STANDBY_LEASES = 3;

	private static final long LONGEST = micros(Duration.ofDays(366));

	private static final BigDecimal LEAST_NUMBER = BigDecimal.valueOf(Long.MIN_VALUE);

	private static final BigDecimal GREATEST_NUMBER = BigDecimal.valueOf(Long.MAX_VALUE);

	static StoredLease from(ResultSet row) throws SQLException {
		String nodeId = row.getString("OWNER_NODE");
		String incarnation = row.getString("OWNER_INCARNATION");
		long standbyUntil = number(row, "STANDBY_UNTIL");
		boolean remembered = !row.wasNull();
		return new StoredLease(row.getString("ELECTION"), number(row, "TOKEN"),
				(nodeId != null && incarnation != null) ? new Owner(nodeId, incarnation) : null,
				row.getString("RESERVED_FOR"), number(row, "EXPIRES_AT"), number(row, "LEASE_DURATION"),
				remembered ? standbyUntil : null, row.getLong("DATABASE_TIME"),
				SessionMark.of(incarnation).orElse(null), row.getInt("SESSION_ENDED") == 1);
	}

	/** Reads the rows of elections, as one candidate sees them. */
	static List<StoredLease> look(StoreConnection connection, LeaseStatements statements, String nodeId,
			List<String> elections) throws SQLException {
		StatementParameters parameters = new StatementParameters().add(nodeId);
		int count = parameters.addPadded(elections, (election) -> List.of(election));
		return connection.query(statements.look(count), StoredLease::from, parameters.list());
	}

	/** The parameters of the statement that inserts a lease. */
	static List<Object> insertion(long token, Owner owner, Duration lease, String election) {
		return List.of(token, owner.nodeId(), owner.incarnation(), micros(lease), micros(lease), election);
	}

	/**
	 * A column may have room for more digits than a number here; one row has to be read
	 * all the same.
	 */
	static long number(ResultSet row, String column) throws SQLException {
		BigDecimal value = row.getBigDecimal(column);
		return (value != null) ? value.max(LEAST_NUMBER).min(GREATEST_NUMBER).longValue() : 0;
	}

	/** Whether a store can have written this. What is free does not matter. */
	boolean isValid() {
		return isValid(this.token, this.expiresAt, this.duration, this.now);
	}

	static boolean isValid(long token, long expiresAt, long duration, long now) {
		return expiresAt <= now || (isToken(token) && isDuration(duration) && expiresAt - now <= LONGEST);
	}

	private static boolean isToken(long token) {
		return token > 0 && token < Long.MAX_VALUE;
	}

	private static boolean isDuration(long duration) {
		return duration > 0 && duration <= LONGEST;
	}

	boolean isHeld() {
		return this.expiresAt > this.now && !this.sessionEnded;
	}

	/** The session that holds the lease; none if it is free or bound to no session. */
	@Nullable SessionMark leader() {
		return isHeld() ? this.mark : null;
	}

	boolean isFreeFor(AcquireRequest candidacy) {
		return !isHeld() || candidacy.owner().nodeId().equals(this.reservedFor);
	}

	/** The first answer to this candidate was lost. */
	boolean isGrantedTo(AcquireRequest candidacy) {
		return isHeld() && candidacy.owner().equals(this.owner) && this.token > candidacy.tokenFloor();
	}

	AcquireResult.Held held() {
		return new AcquireResult.Held(Optional.ofNullable(this.owner).map(Owner::nodeId), this.token,
				micros(this.expiresAt - this.now), micros(this.duration));
	}

	/** The answer to a candidate that should ask again soon. */
	AcquireResult.Held contested(Duration remaining, AcquireRequest candidacy, @Nullable String blockedBy) {
		return new AcquireResult.Held(Optional.empty(), isToken(this.token) ? this.token : 0, remaining,
				isDuration(this.duration) ? micros(this.duration) : candidacy.duration(),
				Optional.ofNullable(blockedBy));
	}

	/** How long this lease may last that another server may have granted since. */
	Duration quarantine(AcquireRequest candidacy) {
		Duration last = isDuration(this.duration) ? micros(this.duration) : Duration.ZERO;
		return (last.compareTo(candidacy.duration()) > 0) ? last : candidacy.duration();
	}

	/** Whether the candidate will be forgotten before long. */
	boolean needsStandby(AcquireRequest candidacy) {
		return this.standbyUntil == null || this.standbyUntil - this.now <= standby(candidacy.duration()) / 2;
	}

	/** How long a candidate is remembered. */
	static long standby(Duration lease) {
		return micros(lease) * STANDBY_LEASES;
	}

	static Duration micros(long micros) {
		return Duration.of(micros, ChronoUnit.MICROS);
	}

	/** Rounded up: the store may keep a lease too long, never too short. */
	static long micros(Duration duration) {
		return -Math.floorDiv(-duration.toNanos(), 1000L);
	}

	/**
	 * A lease as a reader sees it, next to one of its candidates, if there is any.
	 */
	record ViewRow(long token, @Nullable Owner owner, long expiresAt, long duration, long now,
			@Nullable String candidate) {

		static ViewRow from(ResultSet row) throws SQLException {
			String nodeId = row.getString("OWNER_NODE");
			String incarnation = row.getString("OWNER_INCARNATION");
			return new ViewRow(number(row, "TOKEN"),
					(nodeId != null && incarnation != null) ? new Owner(nodeId, SessionMark.without(incarnation))
							: null,
					number(row, "EXPIRES_AT"), number(row, "LEASE_DURATION"), row.getLong("DATABASE_TIME"),
					row.getString("NODE_ID"));
		}

		boolean isValid() {
			return StoredLease.isValid(this.token, this.expiresAt, this.duration, this.now);
		}

		static LeaseView view(List<ViewRow> rows) {
			ViewRow lease = rows.get(0);
			boolean held = lease.expiresAt > lease.now;
			List<String> candidates = rows.stream().map(ViewRow::candidate).filter(Objects::nonNull).sorted().toList();
			return new LeaseView(held ? Optional.ofNullable(lease.owner) : Optional.empty(), lease.token,
					held ? micros(lease.expiresAt - lease.now) : Duration.ZERO, candidates);
		}

	}

}
