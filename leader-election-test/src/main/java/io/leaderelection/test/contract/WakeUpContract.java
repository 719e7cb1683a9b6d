package io.leaderelection.test.contract;

import java.time.Duration;

import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore.Watch;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Those who wait for a lease are woken when it is given up, if the store gives hints.
 */
interface WakeUpContract extends Contract {

	@Test
	default void aReleaseWakesThoseWhoWait() {
		Node holder = scene().node();
		Node candidate = scene().node();
		Hints hints = new Hints();
		try (Watch watch = Hints.given(candidate, hints)) {
			assertThat(watch).isNotNull();
			for (String election : scene().elections(3)) {
				Lease lease = holder.wins(election);
				candidate.isRefused(election);
				hints.forget();
				holder.releases(lease);
				scene().await().until(() -> hints.concern(election));
				candidate.wins(election, lease.token());
			}
		}
	}

	@Test
	default void aTransferWakesItsTarget() {
		Node holder = scene().node();
		Node target = scene().node();
		Hints hints = new Hints();
		try (Watch watch = Hints.given(target, hints)) {
			assertThat(watch).isNotNull();
			Lease lease = holder.wins(scene().election());
			target.isRefused(lease.election());
			hints.forget();
			holder.transfers(lease, target, Duration.ofSeconds(30));
			scene().await().until(() -> hints.concern(lease.election()));
			target.wins(lease.election(), lease.token());
		}
	}

	@Test
	default void whoWasNotTheFirstIsWokenByTheNextRelease() {
		Node holder = scene().node();
		Node first = scene().node();
		Node second = scene().node();
		Hints firstHints = new Hints();
		Hints secondHints = new Hints();
		try (Watch one = Hints.given(first, firstHints); Watch two = Hints.given(second, secondHints)) {
			assertThat(one).isNotSameAs(two);
			Lease lease = holder.wins(scene().election());
			first.isRefused(lease.election());
			second.isRefused(lease.election());
			holder.releases(lease);
			scene().await().until(() -> firstHints.concern(lease.election()) || secondHints.concern(lease.election()));
			Node woken = firstHints.concern(lease.election()) ? first : second;
			Node waiting = (woken == first) ? second : first;
			Hints hints = (woken == first) ? secondHints : firstHints;
			Lease next = woken.wins(lease.election(), lease.token());
			waiting.isRefused(lease.election());
			hints.forget();
			woken.releases(next);
			scene().await().until(() -> hints.concern(lease.election()));
		}
	}

	@Test
	default void hintsEndWithTheirWatch() {
		Node holder = scene().node();
		Node deaf = scene().node();
		Node listening = scene().node();
		Hints unwanted = new Hints();
		Hints wanted = new Hints();
		try (Watch watch = Hints.given(listening, wanted)) {
			assertThat(watch).isNotNull();
			Hints.given(deaf, unwanted).close();
			for (String election : scene().elections(3)) {
				Lease lease = holder.wins(election);
				deaf.isRefused(election);
				listening.isRefused(election);
				unwanted.forget();
				wanted.forget();
				holder.releases(lease);
				scene().await().until(() -> wanted.concern(election));
				assertThat(unwanted.areNone()).as("no hints after close").isTrue();
			}
		}
	}

	@Test
	default void aNewWatchGivesHintsAfterAnotherWasClosed() {
		Node holder = scene().node();
		Node candidate = scene().node();
		Hints hints = new Hints();
		Hints.given(candidate, new Hints()).close();
		try (Watch watch = Hints.given(candidate, hints)) {
			assertThat(watch).isNotNull();
			Lease lease = holder.wins(scene().election());
			candidate.isRefused(lease.election());
			hints.forget();
			holder.releases(lease);
			scene().await().until(() -> hints.concern(lease.election()));
		}
	}

}
