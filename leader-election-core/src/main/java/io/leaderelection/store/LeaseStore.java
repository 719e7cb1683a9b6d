package io.leaderelection.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps one record per election: owner, token, expiry. Each operation on a record is
 * atomic and linearizable, and time is the store's own; the caller's clock is never
 * asked.
 *
 * <p>
 * All methods block. A call that cannot be answered throws; the caller then knows nothing
 * of its effect and repeats it, so every operation has to be safe to repeat, also late. A
 * call should heed interruption where its client can. The engine makes its calls one
 * after the other and does not rely on the client's timeouts; after a call that hung it
 * may make the next one from another thread.
 */
public interface LeaseStore {

	/**
	 * Grants each lease that is free, and says of each other one who holds it and how
	 * long still.
	 *
	 * <p>
	 * A granted token exceeds the record's and the candidate's floor. A candidate that
	 * asks again for a lease that it holds with a token above its floor (the first answer
	 * was lost) gets the same token. With a token at or below its floor, that leadership
	 * has ended, and the lease is waited for as if it were another's: a renewal that came
	 * late may have revived a record that a newer leader has lost. A lease reserved by
	 * {@link #transfer} is granted to its target only. A refused candidate is remembered
	 * as standing by.
	 * @param candidacies what is asked for; the elections in it are distinct
	 * @return the answers in the same order
	 */
	List<AcquireResult> acquire(List<AcquireRequest> candidacies);

	/**
	 * Prolongs each lease that is held with this owner and token. A record that is
	 * missing, or has a lower token, is written again if the renewal allows it, and told
	 * of otherwise. Everything else is lost: ended, given up, or another's.
	 * @param renewals the leases of one node
	 * @return the answers in the same order
	 */
	List<RenewResult> renew(List<RenewRequest> renewals);

	/**
	 * Gives up each lease that is held with this owner and token, and wakes those who
	 * wait for it. The record stays, with its token. Other leases are left as they are.
	 * @param leases the leases of one node
	 */
	void release(List<Lease> leases);

	/**
	 * Gives up a lease that is held with this owner and token, reserves it for the named
	 * node, and wakes those who wait. Another lease is left as it is.
	 * @param lease the lease
	 * @param nodeId the node that may take it
	 * @param grace how long only that node may
	 */
	void transfer(Lease lease, String nodeId, Duration grace);

	/**
	 * Says who holds the lease and who stands by.
	 * @param election the election
	 * @return what is known; empty if there is no record
	 */
	Optional<LeaseView> read(String election);

	/**
	 * Begins to give hints. A store that loses contact and finds it again calls
	 * {@link WakeUps#wakeUpAll()}.
	 * @param wakeUps takes the hints
	 * @return closed to end them; empty if this store gives none, so that candidates ask
	 * more often
	 */
	default Optional<Watch> watch(WakeUps wakeUps) {
		return Optional.empty();
	}

	/**
	 * What this store cannot promise, in plain words for those who operate it.
	 * @return a sentence for each limit
	 */
	default List<String> limits() {
		return List.of();
	}

	/**
	 * A stream of hints.
	 */
	interface Watch extends AutoCloseable {

		@Override
		void close();

	}

}
