package io.leaderelection.test.contract;

import java.util.ArrayList;
import java.util.List;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Absent;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.RenewRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A batch is answered one by one and in order; what goes wrong with one lease harms no
 * other.
 */
interface BatchContract extends Contract {

	int MANY = 300;

	@Test
	default void emptyBatchesAreAnswered() {
		Node node = scene().node();
		assertThat(node.store().acquire(List.of())).isEmpty();
		assertThat(node.store().renew(List.of())).isEmpty();
		node.store().release(List.of());
	}

	@Test
	default void candidaciesAreAnsweredInOrder() {
		Node holder = scene().node();
		Node candidate = scene().node();
		List<AcquireRequest> candidacies = new ArrayList<>();
		List<Class<? extends AcquireResult>> expected = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			String election = scene().election();
			if (i % 3 == 0) {
				holder.wins(election);
			}
			candidacies.add(candidate.candidacy(election, 0, i % 3 == 1));
			expected.add(List.of(Held.class, Granted.class, Absent.class).get(i % 3));
		}
		assertThat(candidate.store().acquire(candidacies)).extracting((answer) -> (Object) answer.getClass())
			.containsExactlyElementsOf(new ArrayList<Object>(expected));
	}

	@Test
	default void tokensAreAnsweredInOrder() {
		Node node = scene().node();
		List<AcquireRequest> candidacies = new ArrayList<>();
		long floor = node.wins(scene().election()).token();
		for (String election : scene().elections(20)) {
			floor += 1_000_000_000;
			candidacies.add(node.candidacy(election, floor, true));
		}
		List<AcquireResult> answers = node.store().acquire(candidacies);
		for (int i = 0; i < candidacies.size(); i++) {
			node.holds(node.lease(candidacies.get(i).election(), answers.get(i)));
		}
	}

	@Test
	default void renewalsAreAnsweredInOrder() {
		Node node = scene().node();
		List<RenewRequest> renewals = new ArrayList<>();
		List<Class<? extends RenewResult>> expected = new ArrayList<>();
		for (Lease lease : node.wins(scene().elections(20))) {
			int kind = renewals.size() % 4;
			if (kind == 1) {
				node.releases(lease);
			}
			Lease shown = (kind < 2) ? lease : RenewingContract.withToken(lease, lease.token() + 1);
			renewals.add(new RenewRequest(shown, kind == 3));
			expected.add(List.of(Renewed.class, Lost.class, RenewResult.Absent.class, Renewed.class).get(kind));
		}
		assertThat(node.store().renew(renewals)).extracting((answer) -> (Object) answer.getClass())
			.containsExactlyElementsOf(new ArrayList<Object>(expected));
	}

	@Test
	default void oneStolenLeaseAmongManyIsLostAlone() {
		Node victim = scene().node();
		List<Lease> leases = victim.wins(scene().elections(50));
		Lease stolen = leases.get(17);
		victim.releases(stolen);
		Node thief = scene().node();
		Lease taken = thief.wins(stolen.election());
		List<RenewResult> answers = victim.renews(leases);
		for (int i = 0; i < leases.size(); i++) {
			assertThat(answers.get(i)).as("answer %d", i).isInstanceOf((i == 17) ? Lost.class : Renewed.class);
		}
		thief.holds(taken);
		leases.stream().filter((lease) -> lease != stolen).forEach(victim::holds);
	}

	@Test
	default void oneLeaseOfAnotherAmongManyIsNotReleased() {
		Node node = scene().node();
		Node other = scene().node();
		List<Lease> leases = node.wins(scene().elections(10));
		Lease passed = leases.get(4);
		node.releases(passed);
		Lease kept = other.wins(passed.election());
		node.releases(leases.toArray(Lease[]::new));
		other.holds(kept);
		leases.stream().filter((lease) -> lease != passed).forEach((lease) -> other.wins(lease.election()));
	}

	@Test
	default void hundredsOfLeasesAreGrantedRenewedAndReleasedTogether() {
		Node node = scene().node();
		List<Lease> leases = node.wins(scene().elections(MANY));
		assertThat(node.renews(leases)).hasSize(MANY).hasOnlyElementsOfType(Renewed.class);
		node.releases(leases.toArray(Lease[]::new));
		assertThat(node.renews(leases)).hasSize(MANY).hasOnlyElementsOfType(Lost.class);
		scene().node().wins(leases.stream().map(Lease::election).toList());
	}

}
