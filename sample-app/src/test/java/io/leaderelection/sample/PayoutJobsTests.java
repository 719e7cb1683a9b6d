package io.leaderelection.sample;

import io.leaderelection.FencingToken;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.jdbc.JdbcFence;
import io.leaderelection.test.TestLeadership;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;

/**
 * The jobs: on the leader, on the others, and on a leader that is replaced in the middle.
 */
@SampleTest
class PayoutJobsTests {

	@Autowired
	PayoutJobs jobs;

	@Autowired
	Ledger ledger;

	@Autowired
	TestLeadership leadership;

	@Autowired
	JdbcFence fence;

	@Autowired
	StaleTokens staleTokens;

	@Autowired
	FraudCheck fraudCheck;

	@Test
	void aFollowerDoesNothing() throws InterruptedException {
		long next = this.ledger.nextPayout();
		this.jobs.pay(null);
		this.jobs.audit(null);
		assertThat(this.jobs.sumUp().blockOptional()).isEmpty();
		assertThat(this.ledger.nextPayout()).isEqualTo(next);
	}

	@Test
	void theLeaderPaysOneAfterTheOther() throws InterruptedException {
		FencingToken token = this.leadership.grant(Payouts.ELECTION);
		long next = this.ledger.nextPayout();
		this.jobs.pay(null);
		this.jobs.pay(null);
		assertThat(this.ledger.latest(2)).extracting(LedgerEntry::payout).containsExactly(next + 1, next);
		assertThat(this.ledger.latest(2)).extracting(LedgerEntry::token).containsOnly(String.valueOf(token.value()));
	}

	@Test
	void aLeaderThatIsReplacedBetweenItsDecisionAndItsWriteBooksNothing() throws InterruptedException {
		this.leadership.grant(Payouts.ELECTION);
		long next = this.ledger.nextPayout();
		doAnswer((call) -> {
			this.fence.announce(this.leadership.fence(Payouts.ELECTION));
			return null;
		}).when(this.fraudCheck).examine(next);
		assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(() -> this.jobs.pay(null));
		assertThat(this.ledger.nextPayout()).isEqualTo(next);
		assertThat(this.ledger.latestRefused(1)).extracting(RefusedWrite::payout).containsExactly(next);
	}

	@Test
	void anAuditThatOutlivesItsLeadershipIsToldSo() throws InterruptedException {
		this.leadership.grant(Payouts.ELECTION);
		this.jobs.pay(null);
		doAnswer((call) -> {
			this.leadership.expire(Payouts.ELECTION);
			return null;
		}).when(this.fraudCheck).review(anyLong());
		assertThatExceptionOfType(LeadershipLostException.class).isThrownBy(() -> this.jobs.audit(null));
	}

	@Test
	void theLeaderAudits() throws InterruptedException {
		this.leadership.grant(Payouts.ELECTION);
		this.jobs.pay(null);
		doAnswer((call) -> null).when(this.fraudCheck).review(anyLong());
		this.jobs.audit(null);
		assertThat(this.ledger.books().audited()).isPositive();
	}

	@Test
	void theReactiveJobWritesOnAnotherThread() throws InterruptedException {
		this.leadership.grant(Payouts.ELECTION);
		this.jobs.pay(null);
		this.jobs.sumUp().block();
		assertThat(this.ledger.books().paid()).isEqualTo(this.ledger.nextPayout() - 1);
	}

	/**
	 * The refusal makes the node ask its store, and the answer may cancel the job first.
	 */
	@Test
	void theReactiveJobIsFencedOnThatThread() {
		this.leadership.grant(Payouts.ELECTION);
		this.fence.announce(this.leadership.fence(Payouts.ELECTION));
		long refused = this.staleTokens.count();
		assertThatThrownBy(() -> this.jobs.sumUp().block()).isInstanceOfAny(StaleLeaderException.class,
				LeadershipLostException.class);
		assertThat(this.staleTokens.count()).isEqualTo(refused + 1);
	}

}
