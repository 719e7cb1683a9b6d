package io.leaderelection.kubernetes;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.WakeUps;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What is peculiar to Leases of Kubernetes, made to happen.
 */
class KubernetesLeaseStoreTests {

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final Duration LONG_LEASE = Duration.ofSeconds(20);

	private static EmulatedApiServer server;

	private final String prefix = "x" + UUID.randomUUID();

	private final LeaseNames names = new LeaseNames(this.prefix);

	private final List<KubernetesLeaseStore> stores = new ArrayList<>();

	@BeforeAll
	static void startServer() {
		server = new EmulatedApiServer();
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@AfterEach
	void closeStores() {
		server.refuseNext(0, 0);
		server.swallowAnswers(false);
		this.stores.forEach(KubernetesLeaseStore::close);
	}

	@Test
	void aLeaseTellsOtherToolsTheTruth() {
		Node holder = node();
		Node next = node();
		Lease lease = holder.wins("reports", Duration.ofMillis(1500));
		JsonNode granted = spec("reports");
		assertThat(granted.path("holderIdentity").asText()).isEqualTo(holder.owner().nodeId());
		assertThat(granted.path("leaseDurationSeconds").asInt()).isEqualTo(2);
		assertThat(granted.path("leaseTransitions").asInt(-1)).isZero();
		assertThat(granted.path("acquireTime").asText()).isEqualTo(granted.path("renewTime").asText());
		assertThat(holder.renews(lease)).isInstanceOf(Renewed.class);
		JsonNode renewed = spec("reports");
		assertThat(renewed.path("acquireTime")).isEqualTo(granted.path("acquireTime"));
		assertThat(Instant.parse(renewed.path("renewTime").asText()))
			.isAfter(Instant.parse(granted.path("renewTime").asText()));
		assertThat(renewed.path("leaseTransitions").asInt(-1)).isZero();
		holder.store().release(List.of(lease));
		assertThat(spec("reports").path("holderIdentity").asText("none")).isEmpty();
		next.wins("reports", LONG_LEASE);
		assertThat(spec("reports").path("holderIdentity").asText()).isEqualTo(next.owner().nodeId());
		assertThat(spec("reports").path("leaseTransitions").asInt()).isOne();
	}

	@Test
	void theTimesInALeaseDecideNothing() {
		Node behind = node(InstantSource.fixed(Instant.EPOCH));
		Node ahead = node(InstantSource.fixed(Instant.parse("2100-01-01T00:00:00Z")));
		behind.wins("reports", LONG_LEASE);
		assertThat(ahead.asksFor("reports", LEASE)).isInstanceOf(Held.class);
		ahead.wins("mails", LEASE);
		assertThat(behind.asksFor("mails", LEASE)).isInstanceOf(Held.class);
		await().until(() -> behind.asksFor("mails", LEASE) instanceof Granted);
	}

	@Test
	void everyRenewalIsAnotherVersionThoughAClockStandsStill() {
		Node holder = node(InstantSource.fixed(Instant.EPOCH));
		Lease lease = holder.wins("reports", LONG_LEASE);
		String before = version("reports");
		assertThat(holder.renews(lease)).isInstanceOf(Renewed.class);
		assertThat(version("reports")).isNotEqualTo(before);
	}

	@Test
	void aLeaseThatWasMadeAnewIsNotTheOneThatWasSeen() {
		Node holder = node();
		Node candidate = node();
		holder.wins("reports", LEASE);
		assertThat(candidate.asksFor("reports", LEASE)).isInstanceOf(Held.class);
		await().pollDelay(LEASE.plusMillis(50)).until(() -> true);
		server.makeAnew(this.names.of("reports"));
		assertThat(candidate.asksFor("reports", LEASE)).isInstanceOf(Held.class);
		await().until(() -> candidate.asksFor("reports", LEASE) instanceof Granted);
	}

	@Test
	void aConflictIsAnAnswer() {
		Node holder = node();
		Node candidate = node();
		Lease lease = holder.wins("reports", LONG_LEASE);
		holder.store().release(List.of(lease));
		server.beforeNextWrite(() -> byAnotherTool("reports", "quicker", 60));
		AcquireResult answer = candidate.asksFor("reports", LONG_LEASE);
		assertThat(answer).isInstanceOf(Held.class);
		assertThat(((Held) answer).nodeId()).contains("quicker");
	}

	@Test
	void aLeaseThatAnotherCreatedInTheSameMomentIsAnAnswerToo() {
		server.beforeNextWrite(() -> byAnotherTool("reports", "quicker", 60));
		AcquireResult answer = node().asksFor("reports", LONG_LEASE);
		assertThat(answer).isInstanceOf(Held.class);
		assertThat(((Held) answer).nodeId()).contains("quicker");
	}

	@Test
	void aLeaseIsReplacedByOneRequestThatNamesItsVersion() {
		node().wins("reports", LONG_LEASE);
		try (KubernetesClient client = server.connect()) {
			ApiServer api = new ApiServer(client, EmulatedApiServer.NAMESPACE);
			Duration limit = Duration.ofSeconds(5);
			String name = this.names.of("reports");
			io.fabric8.kubernetes.api.model.coordination.v1.Lease seen = ApiServer.await(api.get(name, limit), limit)
				.lease();
			byAnotherTool("reports", "another", 60);
			int before = server.requests();
			assertThat(ApiServer.await(api.replace(seen, limit), limit).isConflict()).isTrue();
			assertThat(server.requests()).isEqualTo(before + 1);
			assertThat(spec("reports").path("holderIdentity").asText()).isEqualTo("another");
			server.refuseNext(1, 503);
			assertThat(ApiServer.await(api.replace(seen, limit), limit).isRefusedForTheMoment()).isTrue();
			assertThat(server.requests()).isEqualTo(before + 2);
			seen.getMetadata().setResourceVersion(null);
			assertThatIllegalArgumentException().isThrownBy(() -> api.replace(seen, limit));
		}
	}

	@Test
	void theHolderOfAnotherToolIsWaitedForAsLongAsItsLeaseLasts() {
		Node holder = node();
		Node candidate = node();
		Lease lease = holder.wins("reports", LONG_LEASE);
		byAnotherTool("reports", "client-go", 1);
		assertThat(holder.renews(lease)).isInstanceOf(Lost.class);
		AcquireResult refused = candidate.asksFor("reports", LONG_LEASE);
		assertThat(refused).isInstanceOf(Held.class);
		assertThat(((Held) refused).nodeId()).contains("client-go");
		assertThat(((Held) refused).remaining()).isPositive();
		await().until(() -> candidate.asksFor("reports", LONG_LEASE) instanceof Granted);
		assertThat(candidate.store().read("reports").orElseThrow().token()).isGreaterThan(lease.token());
		assertThat(spec("reports").path("leaseTransitions").asInt()).isOne();
	}

	@Test
	void leasesThatAnotherToolHasMadeAreFoundThoughTheyHaveNoLabel() {
		List<String> elections = IntStream.range(0, 10).mapToObj((i) -> "election-" + i).toList();
		elections.subList(5, 10).forEach((election) -> byAnotherTool(election, "client-go", 60));
		Node node = node();
		List<AcquireResult> answers = node.store()
			.acquire(elections.stream().map((election) -> node.candidacy(election, LONG_LEASE)).toList());
		for (int i = 0; i < elections.size(); i++) {
			assertThat(answers.get(i)).isInstanceOf((i < 5) ? Granted.class : Held.class);
			if (answers.get(i) instanceof Held held) {
				assertThat(held.nodeId()).contains("client-go");
			}
		}
		byAnotherTool("election-7", "", 1);
		node.wins("election-7", LONG_LEASE);
		assertThat(server.lease(this.names.of("election-7")).orElseThrow().at("/metadata/labels").toString())
			.contains(this.prefix);
	}

	@Test
	void twoProcessesWithOneNodeIdShareNoLease() {
		Node one = node();
		Lease lease = one.wins("reports", LONG_LEASE);
		Node twin = new Node(one.store(), new Owner(one.owner().nodeId(), UUID.randomUUID().toString()));
		assertThat(twin.asksFor("reports", LONG_LEASE)).isInstanceOf(Held.class);
		assertThat(twin.renews(new Lease("reports", twin.owner(), lease.token(), LONG_LEASE))).isInstanceOf(Lost.class);
		assertThat(one.renews(lease)).isInstanceOf(Renewed.class);
	}

	@Test
	void aTokenRisesThoughTheLeaseWasDeletedAndClocksGoBack() {
		Node holder = node();
		Lease lease = holder.wins("reports", LONG_LEASE);
		server.delete(this.names.of("reports"));
		Node behind = node(InstantSource.fixed(Instant.EPOCH));
		AcquireResult answer = behind.store()
			.acquire(List.of(new AcquireRequest("reports", behind.owner(), LONG_LEASE, lease.token(), true)))
			.get(0);
		assertThat(((Granted) answer).token()).isEqualTo(lease.token() + 1);
		server.delete(this.names.of("reports"));
		assertThat(node().wins("reports", LONG_LEASE).token()).isGreaterThan(lease.token() + 1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 429, 500, 503 })
	void aServerThatIsBusyForAMomentIsAskedAgain(int code) {
		Node node = node();
		server.refuseNext(3, code);
		Lease lease = node.wins("reports", LONG_LEASE);
		server.refuseNext(3, code);
		assertThat(node.renews(lease)).isInstanceOf(Renewed.class);
	}

	@Test
	void aServerThatIsBusyForLongIsLeftInTime() {
		Node node = node();
		Lease lease = node.wins("reports", Duration.ofSeconds(3));
		server.refuseNext(Integer.MAX_VALUE, 503);
		long start = System.nanoTime();
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> node.renews(lease));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
	}

	@Test
	void whoIsNotAllowedIsToldWhatIsMissing() {
		Node node = node();
		server.refuseNext(Integer.MAX_VALUE, 403);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> node.asksFor("reports", LONG_LEASE))
			.withMessageContaining("verbs get, list, watch, create, update and patch");
	}

	@Test
	void anAnswerThatWasLostIsGivenAgain() {
		Node node = node();
		server.swallowAnswers(true);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> node.asksFor("reports", LEASE));
		server.swallowAnswers(false);
		long token = node.store().read("reports").orElseThrow().token();
		assertThat(node.wins("reports", LONG_LEASE).token()).isEqualTo(token);
	}

	@Test
	void aWatchWhoseVersionIsGoneBeginsAnewAndAllAreWoken() {
		Node holder = node();
		Node candidate = node();
		Lease lease = holder.wins("reports", LONG_LEASE);
		Woken woken = new Woken();
		try (Watch watch = candidate.store().watch(woken).orElseThrow()) {
			assertThat(watch).isNotNull();
			assertThat(candidate.asksFor("reports", LONG_LEASE)).isInstanceOf(Held.class);
			await().until(() -> server.openWatches() == 1 && woken.hints.contains("all"));
			woken.hints.clear();
			server.expireWatches();
			await().until(() -> server.openWatches() == 1 && woken.hints.contains("all"));
			woken.hints.clear();
			holder.store().release(List.of(lease));
			await().until(() -> woken.hints.contains("reports"));
		}
		await().until(() -> server.openWatches() == 0);
	}

	@Test
	void theEndOfALeaseIsKnownToTheMomentThoughNobodyHasAskedSinceTheLastRenewal() {
		Duration duration = Duration.ofMinutes(1);
		Node holder = node();
		Node candidate = node();
		Lease lease = holder.wins("reports", duration);
		Woken woken = new Woken();
		try (Watch watch = candidate.store().watch(woken).orElseThrow()) {
			assertThat(watch).isNotNull();
			assertThat(candidate.asksFor("reports", duration)).isInstanceOf(Held.class);
			await().until(() -> woken.hints.contains("all"));
			assertThat(holder.renews(lease)).isInstanceOf(Renewed.class);
			long renewedAt = System.nanoTime();
			await().pollDelay(Duration.ofSeconds(4)).until(() -> true);
			AcquireResult refused = candidate.asksFor("reports", duration);
			Duration since = Duration.ofNanos(System.nanoTime() - renewedAt);
			assertThat(refused).isInstanceOf(Held.class);
			assertThat(((Held) refused).remaining().plus(since)).isLessThan(duration.plusMillis(3800));
		}
	}

	@Test
	void whatCrashedNodesLeaveBehindIsForgottenAndTakenAway() {
		AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
		Node holder = node(now::get);
		Node crashed = node(now::get);
		Node standing = node(now::get);
		Lease lease = holder.wins("reports", LONG_LEASE);
		assertThat(crashed.asksFor("reports", LONG_LEASE)).isInstanceOf(Held.class);
		assertThat(holder.store().read("reports").orElseThrow().candidates()).containsExactly(crashed.owner().nodeId());
		now.updateAndGet((before) -> before.plus(Duration.ofHours(2)));
		assertThat(holder.store().read("reports").orElseThrow().candidates()).isEmpty();
		assertThat(standing.asksFor("reports", LONG_LEASE)).isInstanceOf(Held.class);
		assertThat(holder.store().read("reports").orElseThrow().candidates())
			.containsExactly(standing.owner().nodeId());
		assertThat(server.lease(this.names.candidates()).orElseThrow().at("/metadata/annotations").size()).isOne();
		holder.store().release(List.of(lease));
	}

	private void byAnotherTool(String election, String holder, int seconds) {
		server.edit(this.names.of(election),
				(lease) -> lease.withObjectProperty("spec")
					.put("holderIdentity", holder)
					.put("leaseDurationSeconds", seconds)
					.put("renewTime", "2026-01-01T00:00:00.123456Z"));
	}

	private JsonNode spec(String election) {
		return server.lease(this.names.of(election)).orElseThrow().path("spec");
	}

	private String version(String election) {
		return server.lease(this.names.of(election)).orElseThrow().at("/metadata/resourceVersion").asText();
	}

	private Node node() {
		return node(InstantSource.system());
	}

	private Node node(InstantSource clock) {
		KubernetesClient client = server.connect();
		KubernetesLeaseStore store = new KubernetesLeaseStore(client, EmulatedApiServer.NAMESPACE, this.prefix, clock,
				client::close);
		this.stores.add(store);
		return new Node(store, new Owner("node-" + this.stores.size(), UUID.randomUUID().toString()));
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(20, TimeUnit.MILLISECONDS).atMost(Duration.ofSeconds(20));
	}

	private record Node(LeaseStore store, Owner owner) {

		AcquireRequest candidacy(String election, Duration lease) {
			return new AcquireRequest(election, this.owner, lease, 0, true);
		}

		AcquireResult asksFor(String election, Duration lease) {
			return this.store.acquire(List.of(candidacy(election, lease))).get(0);
		}

		Lease wins(String election, Duration lease) {
			AcquireResult answer = asksFor(election, lease);
			assertThat(answer).isInstanceOf(Granted.class);
			return new Lease(election, this.owner, ((Granted) answer).token(), lease);
		}

		RenewResult renews(Lease lease) {
			return this.store.renew(List.of(new RenewRequest(lease, false))).get(0);
		}

	}

	private static final class Woken implements WakeUps {

		private final List<String> hints = new CopyOnWriteArrayList<>();

		@Override
		public void wakeUp(String election) {
			this.hints.add(election);
		}

		@Override
		public void wakeUpAll() {
			this.hints.add("all");
		}

		@Override
		public void leasesLost() {
			this.hints.add("lost");
		}

	}

}
