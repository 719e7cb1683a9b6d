package io.leaderelection.sample;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.leaderelection.FencingToken;
import io.leaderelection.Leadership;
import io.leaderelection.OnLoss;
import io.leaderelection.annotation.LeaderOnly;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * What has to be done once, however many nodes there are. Each method is called on every
 * node, and runs on the leader.
 */
@Component
class PayoutJobs {

	private static final Log logger = LogFactory.getLog(PayoutJobs.class);

	private final Payouts payouts;

	private final Ledger ledger;

	private final FraudCheck fraudCheck;

	PayoutJobs(Payouts payouts, Ledger ledger, FraudCheck fraudCheck) {
		this.payouts = payouts;
		this.ledger = ledger;
		this.fraudCheck = fraudCheck;
	}

	/**
	 * A short job: one payout. Who steps down lets it finish. Should the node be replaced
	 * in the middle of it, unnoticed, the ledger refuses the token.
	 */
	@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.SECONDS)
	@LeaderOnly(value = Payouts.ELECTION, onLoss = OnLoss.SIGNAL)
	void pay(FencingToken token) throws InterruptedException {
		this.payouts.payNext(token);
	}

	/**
	 * A job that takes longer than a lease, 8 s with 20 payouts. That is fine, since the
	 * lease is renewed while it runs. When leadership begins to end, its thread is
	 * interrupted. Had leadership ended before the job did, the scheduler would be told
	 * by a {@code LeadershipLostException}.
	 */
	@Scheduled(fixedDelay = 20, initialDelay = 10, timeUnit = TimeUnit.SECONDS)
	@LeaderOnly(Payouts.ELECTION)
	void audit(Leadership leadership) {
		List<LedgerEntry> latest = this.ledger.latest(20);
		try {
			for (LedgerEntry entry : latest) {
				leadership.check();
				this.fraudCheck.review(entry.payout());
			}
		}
		catch (InterruptedException ex) {
			logger.info("The audit is broken off, and left to the next leader");
			Thread.currentThread().interrupt();
			return;
		}
		this.ledger.noteAudit(latest.size(), leadership.token());
	}

	/**
	 * A reactive job, guarded from its subscription to its end. The leadership comes
	 * along to the thread that writes ({@code spring.reactor.context-propagation: auto}),
	 * so that its transaction is fenced like any other.
	 */
	@Scheduled(fixedDelay = 5, timeUnit = TimeUnit.SECONDS)
	@LeaderOnly(Payouts.ELECTION)
	Mono<Void> sumUp() {
		return Mono.<Void>fromRunnable(this.ledger::sumUp).subscribeOn(Schedulers.boundedElastic());
	}

}
