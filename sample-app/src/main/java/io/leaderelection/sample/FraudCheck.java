package io.leaderelection.sample;

/**
 * Somebody else's service, which takes its time.
 */
public interface FraudCheck {

	/**
	 * Examines a payout before it is made.
	 * @param payout its number
	 */
	void examine(long payout) throws InterruptedException;

	/**
	 * Examines a payout once more, after it was made.
	 * @param payout its number
	 */
	void review(long payout) throws InterruptedException;

}
