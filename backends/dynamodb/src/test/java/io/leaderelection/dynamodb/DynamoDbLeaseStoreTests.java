package io.leaderelection.dynamodb;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.UUID;

import io.leaderelection.servers.DynamoDbServer;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult.Renewed;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What DynamoDB may do to a store: throttle it, answer in part, or not at all.
 */
class DynamoDbLeaseStoreTests {

	/** So long that a busy machine ends no call. */
	private static final Duration LEASE = Duration.ofMinutes(1);

	private final DynamoDbServer server = DynamoDbServer.get();

	private final Interference interference = new Interference();

	private final DynamoDbClient client = this.server.connect(this.interference);

	private final LeaseTable table = new LeaseTable(DynamoDbServer.TABLE, DynamoDbServer.KEY, UUID.randomUUID() + "/");

	private final DynamoDbLeaseStore store = new DynamoDbLeaseStore(this.client, this.table, this.client::close);

	private final DynamoDbLeaseStore other = new DynamoDbLeaseStore(this.server.admin(), this.table, () -> {
	});

	private final Owner owner = new Owner("one", UUID.randomUUID().toString());

	@AfterEach
	void close() {
		this.store.close();
		this.other.close();
	}

	@Test
	void throttlingIsRiddenOut() {
		List<Lease> leases = wins(20);
		this.interference.throttle(60);
		assertThat(renews(leases)).hasOnlyElementsOfType(Renewed.class);
		assertThat(this.interference.count("UpdateItem")).isEqualTo(20 + 60 + 20);
	}

	@Test
	void throttlingWithoutEndIsAFailureAndNoLoss() {
		Duration lease = Duration.ofSeconds(6);
		AcquireRequest candidacy = new AcquireRequest("short", this.owner, lease, 0, true);
		AcquireResult granted = this.store.acquire(List.of(candidacy)).get(0);
		long start = System.nanoTime();
		List<Lease> leases = List.of(new Lease("short", this.owner, ((Granted) granted).token(), lease));
		this.interference.throttle(Integer.MAX_VALUE);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> renews(leases))
			.withMessageContaining("1 of 1 writes failed");
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(lease.dividedBy(6));
		this.interference.throttle(0);
		assertThat(renews(leases).get(0)).satisfiesAnyOf((answer) -> assertThat(answer).isInstanceOf(Renewed.class),
				(answer) -> assertThat(Duration.ofNanos(System.nanoTime() - start)).as("time that the machine stalled")
					.isGreaterThan(lease.minusSeconds(1)));
	}

	@Test
	void anUpdateWhoseAnswerWasLostIsKnownByItsVersion() {
		this.interference.loseAnswers(1);
		wins(1);
		assertThat(this.interference.count("UpdateItem")).isEqualTo(2);
		assertThat(this.interference.count("BatchGetItem")).isEqualTo(1);
	}

	@Test
	void whatWasLeftOutOfAnAnswerIsReadAgain() {
		wins(120);
		this.interference.forget();
		this.interference.answerInPart(4);
		List<AcquireResult> answers = this.store
			.acquire(candidacies(120, new Owner("two", UUID.randomUUID().toString())));
		assertThat(answers).hasSize(120).hasOnlyElementsOfType(Held.class);
		// two, four that were left out, and one for those who stand by
		assertThat(this.interference.count("BatchGetItem")).isEqualTo(2 + 4 + 1);
	}

	@Test
	void aChangeBetweenLookAndUpdateIsSeen() {
		Owner rival = new Owner("rival", UUID.randomUUID().toString());
		this.interference.beforeNextUpdate(
				() -> assertThat(this.other.acquire(candidacies(1, rival))).hasOnlyElementsOfType(Granted.class));
		assertThat(this.store.acquire(candidacies(1, this.owner))).singleElement()
			.isInstanceOfSatisfying(Held.class, (held) -> assertThat(held.nodeId()).contains("rival"));
	}

	@Test
	void aRenewalBetweenLookAndTakeoverKeepsTheLease() {
		Owner rival = new Owner("rival", UUID.randomUUID().toString());
		Duration lease = Duration.ofSeconds(1);
		this.other.acquire(List.of(new AcquireRequest("election 0", rival, lease, 0, true)));
		// which also tells that it stands by, by an update of its own
		assertThat(this.store.acquire(candidacies(1, this.owner))).hasOnlyElementsOfType(Held.class);
		AtomicBoolean renewed = new AtomicBoolean();
		this.interference.beforeNextUpdate(() -> {
			this.server.admin()
				.updateItem((request) -> request.tableName(this.table.name())
					.key(this.table.election("election 0"))
					.updateExpression("SET version = :version")
					.expressionAttributeValues(Map.of(":version", AttributeValue.fromS(RecordItem.newVersion()))));
			renewed.set(true);
		});
		Awaitility.await().pollInterval(Duration.ofMillis(10)).until(() -> {
			assertThat(this.store.acquire(candidacies(1, this.owner))).singleElement()
				.isInstanceOfSatisfying(Held.class, (held) -> assertThat(held.nodeId()).contains("rival"));
			return renewed.get();
		});
	}

	@Test
	void anItemThatWasDeletedDoesNotBringLowTokensBack() {
		Lease lease = wins(1).get(0);
		this.server.deleteAll(this.table.prefix());
		AcquireResult answer = this.other.acquire(candidacies(1, new Owner("new", UUID.randomUUID().toString())))
			.get(0);
		assertThat(answer).isInstanceOfSatisfying(Granted.class,
				(granted) -> assertThat(granted.token()).isGreaterThan(lease.token()));
	}

	@Test
	void anItemKeepsAttributesOfOthers() {
		Lease lease = wins(1).get(0);
		Map<String, AttributeValue> key = this.table.election(lease.election());
		this.server.admin()
			.updateItem((request) -> request.tableName(this.table.name())
				.key(key)
				.updateExpression("SET note = :note")
				.expressionAttributeValues(Map.of(":note", AttributeValue.fromS("by hand"))));
		assertThat(renews(List.of(lease))).hasOnlyElementsOfType(Renewed.class);
		this.store.release(List.of(lease));
		Map<String, AttributeValue> item = this.server.admin()
			.getItem((request) -> request.tableName(this.table.name()).key(key).consistentRead(true))
			.item();
		assertThat(item).containsEntry("note", AttributeValue.fromS("by hand"))
			.containsEntry(RecordItem.TOKEN, AttributeValue.fromN(Long.toString(lease.token())))
			.doesNotContainKeys(RecordItem.HOLDER, RecordItem.INCARNATION);
	}

	@Test
	void aNodeThatCrashedLongAgoIsForgottenAndOneThatClosesAtOnce() {
		wins(1);
		Owner crashed = new Owner("crashed", UUID.randomUUID().toString());
		this.other.acquire(candidacies(1, crashed));
		assertThat(this.store.read("election 0").orElseThrow().candidates()).containsExactly("crashed");
		this.server.admin()
			.updateItem((request) -> request.tableName(this.table.name())
				.key(this.table.node(crashed.incarnation()))
				.updateExpression("SET expires = :then")
				.expressionAttributeValues(Map.of(":then", AttributeValue.fromN("1"))));
		assertThat(this.store.read("election 0").orElseThrow().candidates()).isEmpty();
		assertThat(this.server.admin()
			.getItem((request) -> request.tableName(this.table.name()).key(this.table.node(crashed.incarnation())))
			.hasItem()).isFalse();
		try (DynamoDbLeaseStore closing = new DynamoDbLeaseStore(this.server.admin(), this.table, () -> {
		})) {
			closing.acquire(candidacies(1, new Owner("closing", UUID.randomUUID().toString())));
			assertThat(this.store.read("election 0").orElseThrow().candidates()).containsExactly("closing");
		}
		assertThat(this.store.read("election 0").orElseThrow().candidates()).isEmpty();
	}

	private List<AcquireRequest> candidacies(int count, Owner candidate) {
		return IntStream.range(0, count)
			.mapToObj((i) -> new AcquireRequest("election " + i, candidate, LEASE, 0, true))
			.toList();
	}

	private List<Lease> wins(int count) {
		List<AcquireResult> answers = this.store.acquire(candidacies(count, this.owner));
		assertThat(answers).hasOnlyElementsOfType(Granted.class);
		return IntStream.range(0, count)
			.mapToObj((i) -> new Lease("election " + i, this.owner, ((Granted) answers.get(i)).token(), LEASE))
			.toList();
	}

	private List<?> renews(List<Lease> leases) {
		return this.store.renew(leases.stream().map((lease) -> new RenewRequest(lease, false)).toList());
	}

}
