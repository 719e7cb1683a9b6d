package io.leaderelection.dynamodb;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/**
 * Looks at the table before there is an election: creates it if that is wanted, and ends
 * the start if it cannot keep elections. If DynamoDB cannot be reached, the start goes
 * on, as it does when that happens later.
 */
final class TableCheck {

	private static final Log logger = LogFactory.getLog(TableCheck.class);

	private static final Duration PATIENCE = Duration.ofSeconds(3);

	private static final Duration PATIENCE_OF_CREATION = Duration.ofMinutes(1);

	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

	private final DynamoDbClient client;

	private final LeaseTable table;

	private final Dynamo dynamo;

	TableCheck(DynamoDbClient client, LeaseTable table) {
		this.client = client;
		this.table = table;
		this.dynamo = new Dynamo(client, table);
	}

	void run(boolean create) {
		try (this.dynamo) {
			describe(create);
			probe();
		}
		catch (DynamoDbLeaseStoreException ex) {
			if (ex.isLasting()) {
				throw ex;
			}
			logger.warn("The table '%s' could not be looked at, so that nobody is elected until it can"
				.formatted(this.table.name()), ex);
		}
	}

	private void describe(boolean create) {
		Deadline deadline = Deadline.in(PATIENCE);
		TableDescription found;
		try {
			found = this.dynamo
				.ask(deadline, (client) -> client.describeTable(
						(request) -> request.tableName(this.table.name()).overrideConfiguration(deadline.timeouts())))
				.table();
		}
		catch (DynamoDbLeaseStoreException ex) {
			boolean missing = ex.getCause() instanceof ResourceNotFoundException;
			if (!ex.isLasting() || (missing && !create)) {
				throw ex;
			}
			if (missing) {
				create();
				return;
			}
			// whoever may not describe the table may still use it
			logger.info("It cannot be seen whether the table '%s' is a global table, which cannot keep elections: %s"
				.formatted(this.table.name(), ex.getMessage()));
			return;
		}
		check(found);
	}

	void check(TableDescription found) {
		List<KeySchemaElement> keys = found.keySchema();
		boolean suits = keys.size() == 1 && keys.get(0).attributeName().equals(this.table.keyAttribute())
				&& found.attributeDefinitions()
					.stream()
					.anyMatch((attribute) -> attribute.attributeName().equals(this.table.keyAttribute())
							&& attribute.attributeType() == ScalarAttributeType.S);
		if (!suits) {
			throw DynamoDbLeaseStoreException.wrongKey(this.table,
					"its keys are %s".formatted(keys.stream()
						.map((key) -> "%s (%s)".formatted(key.attributeName(), key.keyTypeAsString()))
						.toList()),
					null);
		}
		if (!found.replicas().isEmpty() || found.globalTableVersion() != null) {
			throw DynamoDbLeaseStoreException.globalTable(this.table,
					found.replicas().stream().map(ReplicaDescription::regionName).toList());
		}
	}

	private void create() {
		try {
			this.client.createTable((request) -> request.tableName(this.table.name())
				.keySchema(KeySchemaElement.builder()
					.attributeName(this.table.keyAttribute())
					.keyType(KeyType.HASH)
					.build())
				.attributeDefinitions(AttributeDefinition.builder()
					.attributeName(this.table.keyAttribute())
					.attributeType(ScalarAttributeType.S)
					.build())
				.billingMode(BillingMode.PAY_PER_REQUEST)
				.overrideConfiguration(Deadline.in(PATIENCE).timeouts()));
			logger.info("Created the table '%s'".formatted(this.table.name()));
		}
		catch (ResourceInUseException ex) {
			logger.info("Another node creates the table '%s'".formatted(this.table.name()));
		}
		catch (SdkException ex) {
			throw DynamoDbLeaseStoreException.of(this.table, ex);
		}
		try (DynamoDbWaiter waiter = waiter()) {
			waiter.waitUntilTableExists((request) -> request.tableName(this.table.name()));
		}
		catch (SdkException ex) {
			throw DynamoDbLeaseStoreException.of(this.table, ex);
		}
	}

	private DynamoDbWaiter waiter() {
		return DynamoDbWaiter.builder()
			.client(this.client)
			.overrideConfiguration((settings) -> settings.waitTimeout(PATIENCE_OF_CREATION)
				.maxAttempts(Integer.MAX_VALUE)
				.backoffStrategyV2(BackoffStrategy.fixedDelay(BETWEEN_LOOKS)))
			.build();
	}

	/**
	 * A read that finds nothing and a write that changes nothing, which need the rights.
	 */
	private void probe() {
		Deadline deadline = Deadline.in(PATIENCE);
		this.dynamo.ask(deadline,
				(client) -> client.getItem((request) -> request.tableName(this.table.name())
					.key(this.table.nobody())
					.consistentRead(true)
					.overrideConfiguration(deadline.timeouts())));
		this.dynamo.ask(deadline, (client) -> {
			try {
				return client.updateItem((request) -> request.tableName(this.table.name())
					.key(this.table.nobody())
					.updateExpression("SET #token = :token")
					.conditionExpression("attribute_exists(#key)")
					.expressionAttributeNames(Map.of("#token", RecordItem.TOKEN, "#key", this.table.keyAttribute()))
					.expressionAttributeValues(Map.of(":token", AttributeValue.fromN("0")))
					.overrideConfiguration(deadline.timeouts()));
			}
			catch (ConditionalCheckFailedException ex) {
				return ex;
			}
		});
	}

}
