package io.leaderelection.test.contract;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.RenewRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One node: its store and the name under which it asks.
 *
 * @param store the store, for this node alone
 * @param owner the node in this run of its process
 * @param leaseDuration how long its leases last
 */
record Node(LeaseStore store, Owner owner, Duration leaseDuration) {

	Node withLeaseDuration(Duration duration) {
		return new Node(this.store, this.owner, duration);
	}

	/** Another node that uses the same store. */
	Node named(String nodeId) {
		return new Node(this.store, new Owner(nodeId, UUID.randomUUID().toString()), this.leaseDuration);
	}

	String id() {
		return this.owner.nodeId();
	}

	AcquireRequest candidacy(String election, long tokenFloor, boolean createIfAbsent) {
		return new AcquireRequest(election, this.owner, this.leaseDuration, tokenFloor, createIfAbsent);
	}

	AcquireResult asksFor(String election) {
		return asksFor(election, 0);
	}

	AcquireResult asksFor(String election, long tokenFloor) {
		return asks(candidacy(election, tokenFloor, true));
	}

	/** Asks as a candidate does that has seen a record. */
	AcquireResult asksIfPresent(String election, long tokenFloor) {
		return asks(candidacy(election, tokenFloor, false));
	}

	private AcquireResult asks(AcquireRequest candidacy) {
		List<AcquireResult> answers = this.store.acquire(List.of(candidacy));
		assertThat(answers).as("answers to one candidacy").hasSize(1);
		return answers.get(0);
	}

	Lease wins(String election) {
		return wins(election, 0);
	}

	Lease wins(String election, long tokenFloor) {
		return lease(election, asksFor(election, tokenFloor));
	}

	List<Lease> wins(List<String> elections) {
		List<AcquireResult> answers = this.store
			.acquire(elections.stream().map((election) -> candidacy(election, 0, true)).toList());
		assertThat(answers).hasSameSizeAs(elections).hasOnlyElementsOfType(Granted.class);
		return IntStream.range(0, elections.size()).mapToObj((i) -> lease(elections.get(i), answers.get(i))).toList();
	}

	Lease lease(String election, AcquireResult granted) {
		assertThat(granted).as("answer to %s for %s", this.owner, election).isInstanceOf(Granted.class);
		return new Lease(election, this.owner, ((Granted) granted).token(), this.leaseDuration);
	}

	Held isRefused(String election) {
		return isRefused(election, 0);
	}

	Held isRefused(String election, long tokenFloor) {
		AcquireResult answer = asksFor(election, tokenFloor);
		assertThat(answer).as("answer to %s for %s", this.owner, election).isInstanceOf(Held.class);
		return (Held) answer;
	}

	RenewResult renews(Lease lease) {
		return renews(lease, false);
	}

	/** Renews as a holder does that was told that its record is gone. */
	RenewResult restores(Lease lease) {
		return renews(lease, true);
	}

	private RenewResult renews(Lease lease, boolean createIfAbsent) {
		List<RenewResult> answers = this.store.renew(List.of(new RenewRequest(lease, createIfAbsent)));
		assertThat(answers).as("answers to one renewal").hasSize(1);
		return answers.get(0);
	}

	List<RenewResult> renews(List<Lease> leases) {
		return this.store.renew(leases.stream().map((lease) -> new RenewRequest(lease, false)).toList());
	}

	List<RenewResult> restores(List<Lease> leases) {
		return this.store.renew(leases.stream().map((lease) -> new RenewRequest(lease, true)).toList());
	}

	void releases(Lease... leases) {
		this.store.release(Arrays.asList(leases));
	}

	void transfers(Lease lease, Node target, Duration grace) {
		this.store.transfer(lease, target.id(), grace);
	}

	Optional<LeaseView> reads(String election) {
		return this.store.read(election);
	}

	/** Asserts that the store takes this node for the holder, with this token. */
	void holds(Lease lease) {
		LeaseView view = reads(lease.election()).orElseThrow(() -> new AssertionError("No record of " + lease));
		assertThat(view.holder()).as("holder of %s", lease.election()).contains(this.owner);
		assertThat(view.token()).as("token of %s", lease.election()).isEqualTo(lease.token());
		assertThat(renews(lease)).as("renewal of %s", lease).isInstanceOf(Renewed.class);
	}

}
