package io.leaderelection.test.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Whatever stands in the store: nobody is granted a lease that may be another's, and no
 * token falls. A store may refuse to go on, with a {@link LeaseStoreException}, if it is
 * asked about that record alone: the other elections of a node must not suffer.
 */
interface HostileRecordContract extends Contract {

	@ParameterizedTest
	@EnumSource
	default void aHostileRecordDoesNotFreeAHeldLease(HostileRecord hostile) {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		Node candidate = scene().node();
		Node newcomer = scene().node();
		candidate.isRefused(lease.election());
		scene().plant(hostile, lease.election());
		for (int i = 0; i < 3; i++) {
			isNotGranted(() -> candidate.asksIfPresent(lease.election(), lease.token()));
			isNotGranted(() -> newcomer.asksFor(lease.election()));
			Optional<RenewResult> renewal = unlessRefused(() -> holder.renews(lease));
			if (renewal.filter(Renewed.class::isInstance).isPresent()) {
				isNotGranted(() -> candidate.asksIfPresent(lease.election(), lease.token()));
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	default void aHostileRecordIsAnsweredOrRefusedButNothingElse(HostileRecord hostile) {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		scene().plant(hostile, lease.election());
		List<Runnable> calls = List.of(() -> holder.reads(lease.election()), () -> holder.renews(lease),
				() -> holder.restores(lease), () -> holder.transfers(lease, holder, Duration.ofSeconds(30)),
				() -> holder.releases(lease), () -> holder.asksFor(lease.election(), lease.token()));
		for (Runnable call : calls) {
			assertThat(catchThrowable(call::run)).satisfiesAnyOf((thrown) -> assertThat(thrown).isNull(),
					(thrown) -> assertThat(thrown).isInstanceOf(LeaseStoreException.class)
						.message()
						.doesNotContain("\u001b"));
		}
	}

	@ParameterizedTest
	@EnumSource
	default void aHostileRecordOfAFreeLeaseMakesNoTwoHoldersAndNoLowerToken(HostileRecord hostile) {
		Node former = scene().node();
		Lease before = former.wins(scene().election());
		former.releases(before);
		scene().plant(hostile, before.election());
		Node first = scene().node();
		Node second = scene().node();
		Optional<AcquireResult> answer = unlessRefused(() -> first.asksFor(before.election(), before.token()));
		if (answer.filter(Granted.class::isInstance).isEmpty()) {
			isNotGranted(() -> second.asksFor(before.election(), before.token()));
			return;
		}
		Lease lease = first.lease(before.election(), answer.get());
		assertThat(lease.token()).isGreaterThan(before.token());
		isNotGranted(() -> second.asksFor(before.election(), before.token()));
		first.holds(lease);
		first.releases(lease);
		assertThat(second.wins(before.election(), before.token()).token()).isGreaterThan(lease.token());
	}

	@ParameterizedTest
	@EnumSource
	default void aHostileRecordOfANewElectionMakesNoTwoHolders(HostileRecord hostile) {
		String election = scene().election();
		scene().plant(hostile, election);
		Node first = scene().node();
		Node second = scene().node();
		Optional<AcquireResult> answer = unlessRefused(() -> first.asksFor(election));
		isNotGranted(() -> second.asksFor(election));
		answer.filter(Granted.class::isInstance).ifPresent((granted) -> {
			Lease lease = first.lease(election, granted);
			assertThat(lease.token()).isPositive();
			first.holds(lease);
		});
	}

	@ParameterizedTest
	@EnumSource
	default void aHostileRecordAmongManyKeepsNobodyFromTheOthers(HostileRecord hostile) {
		Node former = scene().node();
		Lease held = former.wins(scene().election());
		Lease free = former.wins(scene().election());
		former.releases(free);
		scene().plant(hostile, held.election());
		scene().plant(hostile, free.election());
		List<String> elections = new ArrayList<>(scene().elections(20));
		elections.add(7, held.election());
		elections.add(13, free.election());
		Node candidate = scene().node();
		List<AcquireRequest> candidacies = elections.stream()
			.map((election) -> candidate.candidacy(election, 0, true))
			.toList();
		List<AcquireResult> answers = answered(() -> candidate.store().acquire(candidacies));
		assertThat(answers).hasSameSizeAs(elections).allSatisfy(HostileRecordContract::makesSense);
		assertThat(answers.get(7)).as("a second grant").isNotInstanceOf(Granted.class);
		List<Lease> others = new ArrayList<>();
		for (int i = 0; i < elections.size(); i++) {
			if (i != 7 && i != 13) {
				others.add(candidate.lease(elections.get(i), answers.get(i)));
			}
		}
		assertThat(candidate.renews(others)).hasSameSizeAs(others).hasOnlyElementsOfType(Renewed.class);
	}

	@ParameterizedTest
	@EnumSource
	default void aHostileRecordAmongManyEndsNoOtherLease(HostileRecord hostile) {
		Node holder = scene().node();
		List<Lease> leases = holder.wins(scene().elections(20));
		scene().plant(hostile, leases.get(7).election());
		for (List<RenewResult> answers : List.of(answered(() -> holder.renews(leases)),
				answered(() -> holder.restores(leases)))) {
			assertThat(answers).hasSameSizeAs(leases).doesNotContainNull();
			for (int i = 0; i < leases.size(); i++) {
				if (i != 7) {
					assertThat(answers.get(i)).as("answer %d", i).isInstanceOf(Renewed.class);
				}
			}
		}
	}

	@Test
	default void aLeaseThatAStrangerHasTakenIsLost() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		scene().plant(HostileRecord.OTHER_OWNER, lease.election());
		assertThat(holder.renews(lease)).isInstanceOf(Lost.class);
		assertThat(holder.restores(lease)).isInstanceOf(Lost.class);
		scene().node().isRefused(lease.election(), lease.token());
	}

	@Test
	default void controlCharactersOfAStrangerAreNotShownAsTheyAre() {
		Node holder = scene().node();
		Lease lease = holder.wins(scene().election());
		scene().plant(HostileRecord.OWNER_WITH_CONTROL_CHARACTERS, lease.election());
		Optional<LeaseView> view = unlessRefused(() -> holder.reads(lease.election())).flatMap((found) -> found);
		assertThat(view.flatMap(LeaseView::holder).map(Owner::toString).orElse("")).doesNotContain("\u001b", "\n",
				"\r");
		scene().node().isRefused(lease.election(), lease.token());
	}

	private static <T> T answered(Supplier<T> call) {
		try {
			return call.get();
		}
		catch (LeaseStoreException ex) {
			throw new AssertionError("All elections have to suffer for one", ex);
		}
	}

	/**
	 * A candidate counts with what it is told: it never again asks for a token below this
	 * one, and never creates the record before the longest lease it heard of ends.
	 */
	private static void makesSense(AcquireResult answer) {
		if (answer instanceof Held held) {
			assertThat(held.token()).as("token").isBetween(0L, Long.MAX_VALUE - 1);
			assertThat(held.remaining()).as("remaining").isBetween(Duration.ZERO, Duration.ofDays(366));
			assertThat(held.duration()).as("duration").isBetween(Duration.ZERO, Duration.ofDays(366));
		}
	}

	private static void isNotGranted(Supplier<AcquireResult> request) {
		assertThat(unlessRefused(request).filter(Granted.class::isInstance)).as("a second grant").isEmpty();
	}

	private static <T> Optional<T> unlessRefused(Supplier<T> call) {
		try {
			return Optional.of(call.get());
		}
		catch (LeaseStoreException ex) {
			return Optional.empty();
		}
	}

}
