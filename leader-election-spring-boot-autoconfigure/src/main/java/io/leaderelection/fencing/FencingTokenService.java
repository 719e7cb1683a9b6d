package io.leaderelection.fencing;

import java.util.Optional;

import io.leaderelection.FencingToken;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;

/**
 * What the store says of tokens, for any node, whether it stands for the election or not.
 *
 * <p>
 * An answer was true when the store gave it and may be false when it arrives: whoever
 * asks first and writes then is not fenced. It tells people and protocols what is going
 * on, and spares a stale caller the way to the resource. What keeps it out is a
 * {@link Fence} at the resource.
 *
 * <p>
 * Every call is a call to the store, which blocks, and takes as long as the timeouts of
 * the store's client allow.
 */
public class FencingTokenService {

	private final LeaseStore store;

	public FencingTokenService(LeaseStore store) {
		this.store = store;
	}

	/**
	 * The token of whoever holds the lease.
	 * @param election the election
	 * @return the token; empty if nobody holds the lease: it was never taken, was given
	 * up, is reserved for a node, or has ended without renewal
	 * @throws LeaseStoreException if the store does not answer
	 */
	public Optional<FencingToken> currentToken(String election) {
		return this.store.read(election)
			.filter((view) -> view.holder().isPresent())
			.map((view) -> new FencingToken(election, view.token()));
	}

	/**
	 * Whether the token is the newest of its election: nobody has been granted the lease
	 * since. That is so until the next leader comes, also when this one has given up its
	 * lease or has let it end, as {@link #currentToken} tells.
	 * @param token the token
	 * @return {@code true} if the store's record has this very token. A higher one was
	 * not granted by this store, or by a store that has forgotten it: that is
	 * {@code false}, too
	 * @throws LeaseStoreException if the store does not answer
	 */
	public boolean validate(FencingToken token) {
		return this.store.read(token.election())
			.map(LeaseView::token)
			.filter((newest) -> newest == token.value())
			.isPresent();
	}

}
