package io.leaderelection.jdbc.session;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

import io.leaderelection.jdbc.sql.StoreConnection;
import org.jspecify.annotations.Nullable;

/**
 * The conditions on sessions in the statements on leases. If a key can be locked, no
 * session holds it, so its session has ended. The locks that prove it are shared, and
 * last until their statement or transaction ends. Internal.
 */
public final class SessionConditions {

	/** Leases are bound to no session. */
	public static final SessionConditions NONE = new SessionConditions(null, null);

	private final @Nullable SessionMark own;

	private final @Nullable Collection<Long> ended;

	/**
	 * Conditions of one session.
	 * @param own what it is marked with
	 * @param ended the only sessions whose leases may be taken because of their end; all
	 * if {@code null}
	 */
	public SessionConditions(@Nullable SessionMark own, @Nullable Collection<Long> ended) {
		this.own = own;
		this.ended = ended;
	}

	/**
	 * The session named in the column has ended. On this very server: another one knows
	 * nothing of it.
	 */
	public String orEnded(String column) {
		return tryEnded(column, " OR CASE WHEN %s THEN %s ELSE FALSE END", "");
	}

	/** The same as a number. */
	public String ended(String column) {
		return tryEnded(column, "CASE WHEN %s AND %s THEN 1 ELSE 0 END", "0");
	}

	private String tryEnded(String column, String template, String never) {
		if (this.own == null || (this.ended != null && this.ended.isEmpty())) {
			return never;
		}
		String keys = (this.ended != null)
				? this.ended.stream().map(String::valueOf).collect(Collectors.joining("|", "(", ")")) : "[0-9]{1,18}";
		String ofThisServer = "%s ~ '@%s:%d:%s$'".formatted(column, this.own.timeline(), this.own.server(), keys);
		String free = tryLock("CAST(substring(%s FROM '[0-9]+$') AS BIGINT)".formatted(column));
		return template.formatted(ofThisServer, free);
	}

	/** The own session lives, and on this server. */
	public String andAlive() {
		return (this.own != null) ? " AND (SELECT %s)".formatted(alive(this.own)) : "";
	}

	/** Whether leases are bound to a session. */
	public boolean isBound() {
		return this.own != null;
	}

	/** Fails unless the own session, if there is one, lives, and on this server. */
	public void requireAlive(StoreConnection connection) throws SQLException {
		if (this.own != null
				&& !connection.query("SELECT " + alive(this.own), (row) -> row.getBoolean(1), List.of()).get(0)) {
			throw new SessionEndedException();
		}
	}

	/** Fails for good if the own session lives on another server. */
	public void requireUsable(StoreConnection connection) throws SQLException {
		try {
			requireAlive(connection);
		}
		catch (SessionEndedException ex) {
			throw UnusableSessionException.noConnection(ex.getMessage(), ex);
		}
	}

	private static String alive(SessionMark own) {
		return "NOT " + tryLock(String.valueOf(own.key()));
	}

	static String tryLock(String key) {
		return "pg_try_advisory_xact_lock_shared(%s)".formatted(key);
	}

	/** The row was written by this server, or by one that it follows without a break. */
	public String andOfThisTimeline(String column) {
		return (this.own != null) ? " AND NOT " + ofAnotherTimeline(column, this.own) : "";
	}

	public String andOfAnotherTimeline(String column) {
		return (this.own != null) ? " AND " + ofAnotherTimeline(column, this.own) : "";
	}

	private static String ofAnotherTimeline(String column, SessionMark own) {
		return "COALESCE(substring(%s FROM '@([0-9A-F]{8})(:[0-9]{1,18}:[0-9]{1,18}){0,1}$') <> '%s', FALSE)"
			.formatted(column, own.timeline());
	}

	public boolean isOfAnotherTimeline(@Nullable SessionMark mark) {
		return this.own != null && mark != null && !mark.isOfSameTimeline(this.own);
	}

	/** The value of the incarnation while the lease has no holder. */
	public String nobody() {
		return (this.own != null) ? "'@%s'".formatted(this.own.timeline()) : "NULL";
	}

}
