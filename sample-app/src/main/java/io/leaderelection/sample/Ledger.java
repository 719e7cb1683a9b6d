package io.leaderelection.sample;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.StaleLeaderException;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * The ledger: plain tables, plain transactions. There is no word of fences in what it
 * writes: each transaction that a leader begins is checked when it is committed, and one
 * of a former leader is rolled back.
 */
@Repository
class Ledger {

	private final JdbcClient jdbc;

	private final LeaderElections elections;

	Ledger(JdbcClient jdbc, LeaderElections elections) {
		this.jdbc = jdbc;
		this.elections = elections;
	}

	long nextPayout() {
		return this.jdbc.sql("SELECT COALESCE(MAX(PAYOUT), 0) + 1 FROM LEDGER").query(Long.class).single();
	}

	@Transactional
	LedgerEntry book(long payout, FencingToken token) {
		this.jdbc.sql("INSERT INTO LEDGER (PAYOUT, NODE_ID, TOKEN) VALUES (?, ?, ?)")
			.params(payout, this.elections.nodeId(), token.value())
			.update();
		return this.jdbc.sql("SELECT * FROM LEDGER WHERE PAYOUT = ? AND TOKEN = ? ORDER BY ID DESC")
			.params(payout, token.value())
			.query(Ledger::entry)
			.list()
			.get(0);
	}

	@Transactional
	void noteAudit(long audited, FencingToken token) {
		this.jdbc.sql("UPDATE BOOKS SET AUDITED = ?, TOKEN = ?").params(audited, token.value()).update();
	}

	@Transactional
	void sumUp() {
		this.jdbc.sql("UPDATE BOOKS SET PAID = (SELECT COUNT(*) FROM LEDGER)").update();
	}

	/**
	 * One statement that is committed by itself. A transaction that is begun here would
	 * be a former leader's, too, and refused like the one before.
	 */
	void noteRefusal(long payout, StaleLeaderException refusal) {
		this.jdbc.sql("INSERT INTO REFUSED_WRITE (PAYOUT, NODE_ID, TOKEN, NEWEST_TOKEN) VALUES (?, ?, ?, ?)")
			.params(payout, this.elections.nodeId(), refusal.refused().value(), refusal.newest().value())
			.update();
	}

	List<LedgerEntry> latest(int most) {
		return this.jdbc.sql("SELECT * FROM LEDGER ORDER BY ID DESC FETCH FIRST %d ROWS ONLY".formatted(most))
			.query(Ledger::entry)
			.list();
	}

	List<RefusedWrite> latestRefused(int most) {
		return this.jdbc.sql("SELECT * FROM REFUSED_WRITE ORDER BY ID DESC FETCH FIRST %d ROWS ONLY".formatted(most))
			.query((row, number) -> new RefusedWrite(row.getLong("PAYOUT"), row.getString("NODE_ID"),
					row.getString("TOKEN"), row.getString("NEWEST_TOKEN"), at(row)))
			.list();
	}

	Books books() {
		return this.jdbc.sql("SELECT PAID, AUDITED FROM BOOKS").query(Books.class).single();
	}

	private static LedgerEntry entry(ResultSet row, int number) throws SQLException {
		return new LedgerEntry(row.getLong("PAYOUT"), row.getString("NODE_ID"), row.getString("TOKEN"), at(row));
	}

	private static Instant at(ResultSet row) throws SQLException {
		return row.getObject("WRITTEN_AT", OffsetDateTime.class).toInstant();
	}

}
