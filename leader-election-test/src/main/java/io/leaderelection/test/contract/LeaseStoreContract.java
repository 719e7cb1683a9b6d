package io.leaderelection.test.contract;

import java.time.Duration;

import io.leaderelection.store.LeaseStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;

/**
 * What every store has to do, against its real server. A backend's test extends this
 * class, says how to reach the server, and overrides what its server can suffer; what it
 * cannot is reported as skipped, with the reason.
 *
 * <p>
 * Every test uses elections of its own, so nothing has to be deleted between tests. All
 * stores that a test asked for are closed after it if they are {@link AutoCloseable}. No
 * test waits for a lease of {@link #longLeaseDuration()}; some wait for one of
 * {@link #leaseDuration()}.
 */
@Timeout(120)
public abstract class LeaseStoreContract implements AcquiringContract, BatchContract, DataLossContract,
		ExclusionContract, ExpiryContract, HostileRecordContract, NamingContract, ReadingContract, ReleasingContract,
		RenewingContract, ServerFaultContract, TokenContract, TransferContract, WakeUpContract {

	private final Scene scene = new Scene(this);

	/**
	 * A store for one node: with a client of its own, on the same server and with the
	 * same prefix (or table, or root) as all others.
	 * @return a new store
	 */
	protected abstract LeaseStore newStore();

	/**
	 * A store on the same server that shares no election with {@link #newStore()}.
	 * @return a new store
	 */
	protected abstract LeaseStore newStoreWithOtherPrefix();

	/**
	 * How long a lease lasts whose end a test waits for. Long enough for several calls,
	 * short enough to wait for it half a dozen times.
	 * @return the duration asked for
	 */
	protected Duration leaseDuration() {
		return Duration.ofSeconds(1);
	}

	/**
	 * How long a lease lasts that has to outlast its test.
	 * @return the duration asked for
	 */
	protected Duration longLeaseDuration() {
		return leasesAreSessions() ? leaseDuration() : Duration.ofSeconds(20);
	}

	/**
	 * Whether a lease lasts as long as its store's session with the server. Then nothing
	 * is expected of the length of a lease and of the remaining time, other than that
	 * there is one, and {@link #abandon} may end leases at once.
	 * @return whether leases are bound to a session; not so unless overridden
	 */
	protected boolean leasesAreSessions() {
		return false;
	}

	/**
	 * How long a test waits for what has to come, before it fails.
	 * @return the longest wait
	 */
	protected Duration patience() {
		return Duration.ofSeconds(45);
	}

	/**
	 * Lets the leases of a store end by themselves, as those of a crashed node do. It is
	 * enough to do nothing where a lease ends unless it is renewed. A session has to be
	 * ended here, without a word to the store, which has to find a new one by itself.
	 * @param store a store of {@link #newStore()}
	 */
	protected void abandon(LeaseStore store) {
	}

	/**
	 * Deletes all that stores have written.
	 */
	protected void loseAllData() {
		cannot("lose all data");
	}

	/**
	 * Stops the server and starts it again, on the same address. Returns when it accepts
	 * connections.
	 */
	protected void restartServer() {
		cannot("restart the server");
	}

	/**
	 * Keeps the server from answering, with all connections left open.
	 */
	protected void pauseServer() {
		cannot("pause the server");
	}

	/**
	 * Ends what {@link #pauseServer()} began.
	 */
	protected void resumeServer() {
		cannot("resume the server");
	}

	/**
	 * Writes past the store into the record of an election. The record may be there
	 * already, held or free, or not yet. A record that cannot be written in this store is
	 * reported with {@link #cannot}.
	 * @param hostile what to write
	 * @param election the election
	 */
	protected void plant(HostileRecord hostile, String election) {
		cannot("plant a hostile record");
	}

	/**
	 * Ends a test as skipped.
	 * @param what what this backend's test cannot do, after "cannot"
	 */
	protected final void cannot(String what) {
		Assumptions.abort("%s cannot %s".formatted(getClass().getSimpleName(), what));
	}

	@Override
	public final Scene scene() {
		return this.scene;
	}

	@AfterEach
	final void closeAllStores() throws Exception {
		this.scene.close();
	}

}
