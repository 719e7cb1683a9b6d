package io.leaderelection.dynamodb;

import java.util.Map;
import java.util.UUID;

import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.nodes.SuccessiveLeaders;
import io.leaderelection.servers.DynamoDbServer;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Fenced writes to DynamoDB.
 */
class DynamoDbFenceTests {

	private final DynamoDbClient client = DynamoDbServer.get().admin();

	private final Map<String, AttributeValue> key = Map.of(DynamoDbServer.KEY,
			AttributeValue.fromS("result " + UUID.randomUUID()));

	private final DynamoDbFence fence = new DynamoDbFence(this.client,
			new LeaseTable(DynamoDbServer.TABLE, DynamoDbServer.KEY, UUID.randomUUID() + "/"), null);

	@Test
	void aLeaderUpdatesAndAFormerOneDoesNot() {
		this.fence.updateItem(token(5), update("former"));
		this.fence.updateItem(token(5), update("former again"));
		this.fence.updateItem(token(17), update("leader"));
		assertThatExceptionOfType(StaleLeaderException.class)
			.isThrownBy(() -> this.fence.updateItem(token(5), update("stale")))
			.satisfies((refusal) -> {
				assertThat(refusal.refused()).isEqualTo(token(5));
				assertThat(refusal.newest()).isEqualTo(token(17));
			});
		assertThat(written()).isEqualTo("leader");
	}

	@Test
	void aLeaderPutsAndAFormerOneDoesNot() {
		this.fence.putItem(token(5), put("former"));
		this.fence.putItem(token(17), put("leader"));
		assertThatExceptionOfType(StaleLeaderException.class)
			.isThrownBy(() -> this.fence.putItem(token(5), put("stale")));
		assertThat(written()).isEqualTo("leader");
		assertThat(item()).containsEntry("fencing_token.reports", AttributeValue.fromN("17"));
	}

	@Test
	void aTokenPassesUnlessAHigherOneHas() {
		this.fence.check(token(5));
		this.fence.check(token(5));
		this.fence.check(token(17));
		assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(() -> this.fence.check(token(16)));
		this.fence.check(new FencingToken("mails/odd name", 1));
	}

	@Test
	void tokensOfLocalElectionsReachNoServer() {
		LeaseTable table = new LeaseTable(DynamoDbServer.TABLE, DynamoDbServer.KEY, UUID.randomUUID() + "/");
		try (LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore()).nodeId("local").build()) {
			DynamoDbFence local = new DynamoDbFence(this.client, table, StaleTokens.inProcess(elections));
			local.check(token(1_000));
			local.putItem(token(1_000), put("put"));
			local.updateItem(token(1_000), update("local"));
			assertThatExceptionOfType(StaleLeaderException.class)
				.isThrownBy(() -> local.updateItem(token(999), update("stale")));
		}
		assertThat(written()).isEqualTo("local");
		assertThat(item()).doesNotContainKey("fencing_token.reports");
		new DynamoDbFence(this.client, table, null).check(token(5));
	}

	@Test
	void tokensAreComparedAsNumbersAndNotAsText() {
		this.fence.updateItem(token(9), update("nine"));
		this.fence.updateItem(token(10), update("ten"));
		this.fence.updateItem(token(Long.MAX_VALUE - 1), update("most"));
		assertThatExceptionOfType(StaleLeaderException.class)
			.isThrownBy(() -> this.fence.updateItem(token(Long.MAX_VALUE - 2), update("one less")));
	}

	@Test
	void aConditionOfTheCallersThatIsNotMetIsToldFromAStaleToken() {
		this.fence.updateItem(token(5), update("present"));
		assertThatExceptionOfType(ConditionalCheckFailedException.class)
			.isThrownBy(() -> this.fence.updateItem(token(6), updateIf("absent", "x")));
		this.fence.updateItem(token(6), updateIf("present", "y"));
		assertThatExceptionOfType(StaleLeaderException.class)
			.isThrownBy(() -> this.fence.updateItem(token(5), updateIf("y", "z")));
		assertThat(written()).isEqualTo("y");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			SET #v = :v                | SET #leaderElectionFence = :leaderElectionFence, #v = :v
			remove #v set #w = :v      | remove #v set #leaderElectionFence = :leaderElectionFence, #w = :v
			REMOVE #v                  | REMOVE #v SET #leaderElectionFence = :leaderElectionFence
			ADD #set :set              | ADD #set :set SET #leaderElectionFence = :leaderElectionFence
			SET #a.#set = :v           | SET #leaderElectionFence = :leaderElectionFence, #a.#set = :v
			""")
	void theTokenJoinsWhatIsSet(String own, String guarded) {
		UpdateItemRequest request = UpdateItemRequest.builder().updateExpression(own).build();
		assertThat(this.fence.guard(token(1), request).updateExpression()).isEqualTo(guarded);
	}

	@Test
	void aConditionWithAnOrStaysWhole() {
		PutItemRequest request = put("x").toBuilder().conditionExpression("a = b OR c = d").build();
		assertThat(this.fence.guard(token(1), request).conditionExpression()).startsWith("(a = b OR c = d) AND (");
	}

	@Test
	void requestsOfTheOldKindAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(
				() -> this.fence.updateItem(token(1), UpdateItemRequest.builder().attributeUpdates(Map.of()).build()));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.fence.putItem(token(1), PutItemRequest.builder().expected(Map.of()).build()));
	}

	@Test
	void whatIsNoTokenLetsNothingPass() {
		this.client.putItem((request) -> request.tableName(DynamoDbServer.TABLE)
			.item(Map.of(DynamoDbServer.KEY, this.key.get(DynamoDbServer.KEY), "fencing_token.reports",
					AttributeValue.fromS("gibberish"))));
		assertThatExceptionOfType(DynamoDbLeaseStoreException.class)
			.isThrownBy(() -> this.fence.updateItem(token(5), update("x")))
			.withMessageContaining("gibberish")
			.withMessageContaining("which is no token");
	}

	@Test
	void writesOfManyLeadersAtOnceAreOrdered() throws Exception {
		SuccessiveLeaders.write(10, (token) -> this.fence.updateItem(token, update(String.valueOf(token.value()))));
		assertThat(written()).isEqualTo(String.valueOf(SuccessiveLeaders.LAST.value()));
	}

	private UpdateItemRequest update(String value) {
		return UpdateItemRequest.builder()
			.tableName(DynamoDbServer.TABLE)
			.key(this.key)
			.updateExpression("SET #value = :value")
			.expressionAttributeNames(Map.of("#value", "value"))
			.expressionAttributeValues(Map.of(":value", AttributeValue.fromS(value)))
			.build();
	}

	private UpdateItemRequest updateIf(String present, String value) {
		return update(value).toBuilder()
			.conditionExpression("#value = :present")
			.expressionAttributeValues(
					Map.of(":value", AttributeValue.fromS(value), ":present", AttributeValue.fromS(present)))
			.build();
	}

	private PutItemRequest put(String value) {
		return PutItemRequest.builder()
			.tableName(DynamoDbServer.TABLE)
			.item(Map.of(DynamoDbServer.KEY, this.key.get(DynamoDbServer.KEY), "value", AttributeValue.fromS(value)))
			.build();
	}

	private Map<String, AttributeValue> item() {
		return this.client
			.getItem((request) -> request.tableName(DynamoDbServer.TABLE).key(this.key).consistentRead(true))
			.item();
	}

	private String written() {
		return item().get("value").s();
	}

	private static FencingToken token(long value) {
		return new FencingToken("reports", value);
	}

}
