package io.leaderelection.redis;

import java.time.Duration;

import io.leaderelection.servers.Ports;
import io.leaderelection.servers.RedisServer;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.RenewResult.Absent;
import io.leaderelection.store.RenewResult.Renewed;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A replica that is promoted without the last writes: what it has never heard of is
 * waited out.
 */
class RedisFailoverTests {

	private static final String ELECTION = "reports";

	private static final Duration LEASE = Duration.ofMillis(1500);

	private final RedisClients clients = new RedisClients();

	private RedisServer master;

	private RedisServer replica;

	@BeforeEach
	void startServers() {
		this.master = RedisServer.start();
		this.replica = RedisServer.start("--replicaof", RedisServer.HOST + " " + this.master.port());
		await().until(() -> this.replica.info("replication", "master_link_status").equals("up"));
	}

	@AfterEach
	void stopServers() {
		this.clients.close();
		this.master.close();
		this.replica.close();
	}

	@Test
	void aLeaseThatThePromotedReplicaNeverHeardOfIsWaitedOut() {
		LeaseStore before = store(this.master, true);
		Candidate first = Candidate.of(before, LEASE);
		first.releases(first.wins(ELECTION));
		cutReplicationOff();
		long sentAt = System.nanoTime();
		Lease forgotten = Candidate.of(before, LEASE).wins(ELECTION);
		promoteTheReplica();
		Candidate newcomer = Candidate.of(store(this.replica, true), LEASE);
		Held refusal = newcomer.isRefused(ELECTION);
		assertThat(refusal.nodeId()).isEmpty();
		assertThat(refusal.remaining()).isBetween(Duration.ofMillis(1), LEASE);
		AcquireResult answer = await().until(() -> newcomer.asksFor(ELECTION), Granted.class::isInstance);
		assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isGreaterThan(LEASE);
		assertThat(((Granted) answer).token()).isGreaterThan(forgotten.token());
	}

	@Test
	void withoutDetectionTheForgottenLeaseIsGrantedTwice() {
		LeaseStore before = store(this.master, false);
		Candidate first = Candidate.of(before, LEASE);
		first.releases(first.wins(ELECTION));
		cutReplicationOff();
		Candidate.of(before, LEASE).wins(ELECTION);
		promoteTheReplica();
		Candidate.of(store(this.replica, false), LEASE).wins(ELECTION);
	}

	@Test
	void theHolderOfAForgottenLeaseGoesOnWithItsToken() {
		LeaseStore before = store(this.master, true);
		Candidate first = Candidate.of(before, LEASE);
		first.releases(first.wins(ELECTION));
		cutReplicationOff();
		Candidate holder = Candidate.of(before, LEASE);
		Lease forgotten = holder.wins(ELECTION);
		promoteTheReplica();
		LeaseStore after = store(this.replica, true);
		Candidate newcomer = Candidate.of(after, LEASE);
		newcomer.isRefused(ELECTION);
		assertThat(holder.on(after).renews(forgotten)).isInstanceOf(Absent.class);
		assertThat(holder.on(after).restores(forgotten)).isInstanceOf(Renewed.class);
		assertThat(newcomer.isRefused(ELECTION)).satisfies((refusal) -> {
			assertThat(refusal.nodeId()).contains(holder.owner().nodeId());
			assertThat(refusal.token()).isEqualTo(forgotten.token());
		});
	}

	@Test
	void theFirstLeaseOfAnElectionIsWaitedOutTooIfThePrefixIsKnown() {
		LeaseStore before = store(this.master, true);
		Candidate.of(before, LEASE).wins("another election");
		cutReplicationOff();
		Candidate.of(before, LEASE).wins(ELECTION);
		promoteTheReplica();
		Candidate newcomer = Candidate.of(store(this.replica, true), LEASE);
		assertThat(newcomer.isRefused(ELECTION).remaining()).isGreaterThan(LEASE.dividedBy(2));
	}

	@Test
	void aReplicatedLeaseIsRenewedAtOnce() {
		Candidate holder = Candidate.of(store(this.master, true), LEASE);
		Lease lease = holder.wins(ELECTION);
		cutReplicationOff();
		promoteTheReplica();
		LeaseStore after = store(this.replica, true);
		assertThat(holder.on(after).renews(lease)).isInstanceOf(Renewed.class);
		assertThat(holder.on(after).wins(ELECTION)).isEqualTo(lease);
		holder.on(after).releases(lease);
		// somebody might hold a later lease that this server has not heard of
		assertThat(Candidate.of(after, LEASE).isRefused(ELECTION).nodeId()).isEmpty();
	}

	@Test
	void theLongestLeaseBeforeSaysHowLongToWait() {
		LeaseStore before = store(this.master, true);
		Candidate patient = Candidate.of(before, Duration.ofSeconds(30));
		patient.releases(patient.wins("another election"));
		Candidate first = Candidate.of(before, LEASE);
		first.releases(first.wins(ELECTION));
		cutReplicationOff();
		promoteTheReplica();
		Candidate newcomer = Candidate.of(store(this.replica, true), LEASE);
		assertThat(newcomer.isRefused(ELECTION).remaining()).isGreaterThan(Duration.ofSeconds(20));
	}

	@Test
	void afterTheWaitEverythingIsAsBefore() {
		Candidate first = Candidate.of(store(this.master, true), LEASE);
		first.releases(first.wins(ELECTION));
		cutReplicationOff();
		promoteTheReplica();
		LeaseStore after = store(this.replica, true);
		Candidate second = Candidate.of(after, LEASE);
		AcquireResult answer = await().until(() -> second.asksFor(ELECTION), Granted.class::isInstance);
		second.releases(new Lease(ELECTION, second.owner(), ((Granted) answer).token(), LEASE));
		Candidate.of(after, LEASE).wins(ELECTION);
	}

	@Test
	void recordsWithoutTheirHistoryAreWaitedOut() {
		LeaseStore store = store(this.master, true);
		Candidate holder = Candidate.of(store, LEASE);
		holder.releases(holder.wins(ELECTION));
		this.master.ask((jedis) -> jedis.del("{leader-election}"));
		assertThat(Candidate.of(store, LEASE).isRefused(ELECTION).nodeId()).isEmpty();
	}

	private LeaseStore store(RedisServer server, boolean detectFailover) {
		return new RedisLeaseStore(this.clients.lettuce(server), RedisLeaseStore.DEFAULT_KEY_PREFIX, detectFailover);
	}

	/** Lets the replica have everything up to now, and nothing after. */
	private void cutReplicationOff() {
		await().until(() -> this.master.info("replication", "master_repl_offset")
			.equals(this.replica.info("replication", "slave_repl_offset")));
		this.replica.ask((jedis) -> jedis.replicaof(RedisServer.HOST, Ports.free()));
		this.master.ask((jedis) -> jedis.clientKill(ClientKillParams.clientKillParams().type(ClientType.REPLICA)));
	}

	private void promoteTheReplica() {
		this.master.kill();
		this.replica.ask((jedis) -> jedis.replicaofNoOne());
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(20));
	}

}
