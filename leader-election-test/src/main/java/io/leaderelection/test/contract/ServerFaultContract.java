package io.leaderelection.test.contract;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Absent;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that stops or hangs costs time, never the order of leaderships. Stores find it
 * again by themselves.
 */
interface ServerFaultContract extends Contract {

	@Test
	default void aRestartNeitherDoublesALeaseNorLowersATokenAndStoresGoOn() {
		Duration lease = scene().shortLease().multipliedBy(5);
		Node holder = scene().node().withLeaseDuration(lease);
		Node candidate = scene().node().withLeaseDuration(lease);
		TimedGrant granted = TimedGrant.of(holder, scene().election(), 0);
		Lease before = granted.lease();
		candidate.isRefused(before.election());
		scene().restartServer();
		RenewResult renewal = scene().answerOf(() -> holder.renews(before));
		if (renewal instanceof Absent) {
			renewal = scene().answerOf(() -> holder.restores(before));
		}
		if (renewal instanceof Renewed) {
			AcquireResult answer = scene().answerOf(() -> candidate.asksIfPresent(before.election(), before.token()));
			assertThat(answer).isInstanceOf(Held.class);
			holder.holds(before);
			holder.releases(before);
		}
		else {
			assertThat(renewal).isInstanceOf(Lost.class);
		}
		Node newcomer = scene().node();
		TimedGrant next = scene()
			.answerOf(() -> TimedGrant.tried(newcomer, before.election(), 0), (tried) -> tried.isPresent())
			.orElseThrow();
		assertThat(next.lease().token()).isGreaterThan(before.token());
		if (renewal instanceof Lost) {
			next.followed(granted);
		}
		assertThat(holder.renews(before)).isInstanceOf(Lost.class);
	}

	@Test
	default void hintsComeAgainAfterARestart() {
		Node holder = scene().node();
		Node candidate = scene().node();
		Hints hints = new Hints();
		try (Watch watch = Hints.given(candidate, hints)) {
			assertThat(watch).isNotNull();
			holder.wins(scene().election());
			scene().restartServer();
			scene().await().until(hints::concernAll);
			String election = scene().election();
			// the lease should not end while the candidate still looks for the server
			scene().answerOf(() -> candidate.reads(election));
			AcquireResult granted = scene().answerOf(() -> holder.asksFor(election), Granted.class::isInstance);
			scene().answerOf(() -> candidate.asksFor(election), Held.class::isInstance);
			hints.forget();
			holder.releases(holder.lease(election, granted));
			scene().await().until(() -> hints.concern(election));
		}
	}

	@Test
	default void callsToAPausedServerFailOrBlockAndStoresGoOnAfterwards() throws Exception {
		Node holder = scene().node();
		Node candidate = scene().node();
		Lease lease = holder.wins(scene().election());
		candidate.isRefused(lease.election());
		scene().pauseServer();
		Future<RenewResult> renewal;
		Future<AcquireResult> request;
		try {
			renewal = scene().meanwhile(() -> holder.renews(lease));
			request = scene().meanwhile(() -> candidate.asksFor(lease.election()));
			Awaitility.await()
				.pollDelay(Duration.ZERO)
				.during(Duration.ofMillis(500))
				.until(() -> isFailedOrBlocked(renewal) && isFailedOrBlocked(request));
		}
		finally {
			scene().resumeServer();
		}
		scene().answerOf(() -> holder.renews(lease), Renewed.class::isInstance);
		assertThat(scene().answerOf(() -> candidate.asksFor(lease.election()))).isInstanceOf(Held.class);
		scene().await().until(() -> renewal.isDone() && request.isDone());
		assertThat(isFailedOrBlocked(request) || request.get() instanceof Held).isTrue();
		holder.releases(lease);
		assertThat(candidate.wins(lease.election()).token()).isGreaterThan(lease.token());
	}

	private static boolean isFailedOrBlocked(Future<?> call) throws Exception {
		if (!call.isDone()) {
			return true;
		}
		try {
			call.get(0, TimeUnit.SECONDS);
			return false;
		}
		catch (ExecutionException ex) {
			assertThat(ex.getCause()).isInstanceOfSatisfying(LeaseStoreException.class,
					(failure) -> assertThat(failure.isRejection()).as("answered and rejected: %s", failure).isFalse());
			return true;
		}
	}

}
