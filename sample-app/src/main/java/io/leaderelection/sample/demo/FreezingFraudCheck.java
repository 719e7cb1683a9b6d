package io.leaderelection.sample.demo;

import io.leaderelection.sample.FraudCheck;
import io.leaderelection.sample.SlowFraudCheck;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Primary;
import org.springframework.stereotype.Component;

/**
 * Where a leader is frozen: between what it has decided and what it writes.
 */
@Component
@Primary
@ConditionalOnBooleanProperty("demo.controls.enabled")
class FreezingFraudCheck implements FraudCheck {

	private final SlowFraudCheck fraudCheck;

	private final Freezer freezer;

	FreezingFraudCheck(SlowFraudCheck fraudCheck, Freezer freezer) {
		this.fraudCheck = fraudCheck;
		this.freezer = freezer;
	}

	@Override
	public void examine(long payout) throws InterruptedException {
		this.fraudCheck.examine(payout);
		this.freezer.freezeIfWanted();
	}

	@Override
	public void review(long payout) throws InterruptedException {
		this.fraudCheck.review(payout);
	}

}
