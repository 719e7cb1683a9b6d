package io.leaderelection.sample;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.springframework.stereotype.Component;

/**
 * Stands in for a service on the network: takes its time, and has no objections.
 */
@Component
public class SlowFraudCheck implements FraudCheck {

	private static final long EXAMINATION_MILLIS = 200;

	private static final long REVIEW_MILLIS = 400;

	@Override
	public void examine(long payout) throws InterruptedException {
		awaitAnswer(EXAMINATION_MILLIS);
	}

	@Override
	public void review(long payout) throws InterruptedException {
		awaitAnswer(REVIEW_MILLIS);
	}

	private static void awaitAnswer(long millis) throws InterruptedException {
		CountDownLatch objection = new CountDownLatch(1);
		objection.await(millis, TimeUnit.MILLISECONDS);
	}

}
