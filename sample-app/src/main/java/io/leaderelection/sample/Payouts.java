package io.leaderelection.sample;

import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;

import org.springframework.stereotype.Service;

/**
 * Makes payouts, one after the other. Only ever called on the leader.
 */
@Service
class Payouts {

	static final String ELECTION = "payouts";

	private final Ledger ledger;

	private final FraudCheck fraudCheck;

	Payouts(Ledger ledger, FraudCheck fraudCheck) {
		this.ledger = ledger;
		this.fraudCheck = fraudCheck;
	}

	/**
	 * Decides which payout is next, has it examined, and books it. In between, time
	 * passes; what was decided may be outdated when it is booked. One node leads, so a
	 * lock of this process keeps two payouts apart, and the fence keeps out a node that
	 * led when it decided and does not lead any more.
	 * @param token the token of this node's leadership
	 * @return what was booked
	 * @throws StaleLeaderException if a newer leader has been at the ledger; nothing was
	 * booked
	 */
	synchronized LedgerEntry payNext(FencingToken token) throws InterruptedException {
		long payout = this.ledger.nextPayout();
		this.fraudCheck.examine(payout);
		try {
			return this.ledger.book(payout, token);
		}
		catch (StaleLeaderException ex) {
			this.ledger.noteRefusal(payout, ex);
			throw ex;
		}
	}

}
