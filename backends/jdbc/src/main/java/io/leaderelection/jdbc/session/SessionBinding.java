package io.leaderelection.jdbc.session;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import org.jspecify.annotations.Nullable;

/**
 * Binds the leases of one call to a session in addition to their rows: the seam between
 * the store and its sessions. Without a session, leases end by their rows alone.
 * Internal.
 */
public interface SessionBinding {

	/** Leases that end by their rows alone. */
	SessionBinding NONE = new SessionBinding() {
	};

	/** The owner as rows name it. */
	default Owner owner(Owner owner) {
		return owner;
	}

	default SessionConditions conditions() {
		return SessionConditions.NONE;
	}

	/**
	 * How long a lease that was granted or renewed lasts at least, from the beginning of
	 * the call.
	 */
	default Duration validFor(Duration lease) {
		return lease;
	}

	/** Takes note of the sessions that lead where this node does not, by election. */
	default void observed(Set<String> elections, Map<String, SessionMark> leaders) {
	}

	/** Replaces the session if the call failed because the server does not know it. */
	default void failed(SQLException failure) {
	}

	default AcquireRequest bind(AcquireRequest asked) {
		return new AcquireRequest(asked.election(), owner(asked.owner()), asked.duration(), asked.tokenFloor(),
				asked.createIfAbsent());
	}

	default Lease bind(Lease lease) {
		return new Lease(lease.election(), owner(lease.owner()), lease.token(), lease.duration());
	}

	default @Nullable AcquireResult limit(@Nullable AcquireResult result) {
		return (result instanceof AcquireResult.Granted granted)
				? new AcquireResult.Granted(granted.token(), validFor(granted.validFor())) : result;
	}

	default @Nullable RenewResult limit(@Nullable RenewResult result) {
		return (result instanceof RenewResult.Renewed renewed) ? new RenewResult.Renewed(validFor(renewed.validFor()))
				: result;
	}

}
