package io.leaderelection.dynamodb;

import io.leaderelection.store.ExplainedLeaseStoreException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * DynamoDB could not be reached, or refused what was asked of it.
 */
class DynamoDbLeaseStoreException extends ExplainedLeaseStoreException {

	private static final long serialVersionUID = 1L;

	private final boolean lasting;

	public DynamoDbLeaseStoreException(String message, @Nullable Throwable cause) {
		this(message, "Check leader-election.dynamodb.region and leader-election.dynamodb.endpoint, or the "
				+ "application's own DynamoDbClient, and its credentials", false, cause);
	}

	private DynamoDbLeaseStoreException(String problem, String action, boolean lasting, @Nullable Throwable cause) {
		super("%s. %s".formatted(problem, action), problem, action, cause, cause instanceof AwsServiceException);
		this.lasting = lasting;
	}

	static DynamoDbLeaseStoreException of(LeaseTable table, SdkException cause) {
		if (cause instanceof ResourceNotFoundException) {
			return missingTable(table, cause);
		}
		String code = (cause instanceof AwsServiceException refusal && refusal.awsErrorDetails() != null)
				? refusal.awsErrorDetails().errorCode() : "";
		return switch ((code != null) ? code : "") {
			case "AccessDeniedException" -> missingRight(table, cause);
			case "ValidationException" -> wrongKey(table, String.valueOf(cause.getMessage()), cause);
			default -> new DynamoDbLeaseStoreException(
					"DynamoDB cannot be asked about the table '%s': %s".formatted(table.name(), cause.getMessage()),
					cause);
		};
	}

	static DynamoDbLeaseStoreException missingTable(LeaseTable table, @Nullable Throwable cause) {
		return lasting("There is no table '%s' in this region and account".formatted(table.name()),
				("Create it with the partition key '%s' of type String and no sort key, or let the application do it: "
						+ "leader-election.dynamodb.initialize-table=always. If it has another name, set "
						+ "leader-election.dynamodb.table-name (now '%s')")
					.formatted(table.keyAttribute(), table.name()),
				cause);
	}

	static DynamoDbLeaseStoreException missingRight(LeaseTable table, SdkException cause) {
		return lasting(
				"The application lacks a right on the table '%s': %s".formatted(table.name(), cause.getMessage()),
				"Allow its role dynamodb:GetItem, BatchGetItem, UpdateItem, PutItem and DeleteItem on the table that "
						+ "leader-election.dynamodb.table-name names, and, so that a global table is found out, "
						+ "dynamodb:DescribeTable",
				cause);
	}

	static DynamoDbLeaseStoreException wrongKey(LeaseTable table, String found, @Nullable Throwable cause) {
		return lasting(
				"The table '%s' cannot keep elections with the key '%s': %s".formatted(table.name(),
						table.keyAttribute(), found),
				("It needs a partition key of type String and no sort key. Set leader-election.dynamodb.key-attribute "
						+ "(now '%s') to its name, or leader-election.dynamodb.table-name (now '%s') to another table")
					.formatted(table.keyAttribute(), table.name()),
				cause);
	}

	static DynamoDbLeaseStoreException globalTable(LeaseTable table, Object replicas) {
		return lasting(
				("The table '%s' is a global table, with replicas in %s: each region would accept writes of its own, and "
						+ "there would be a leader in each")
					.formatted(table.name(), replicas),
				"Set leader-election.dynamodb.table-name (now '%s') to a table of one region, which all nodes use"
					.formatted(table.name()),
				null);
	}

	static DynamoDbLeaseStoreException settingsWithoutEffect(String properties) {
		return lasting("Elections use the bean of type DynamoDbClient, which has its own settings",
				"Remove %s, or the bean".formatted(properties), null);
	}

	static DynamoDbLeaseStoreException severalClients(long count) {
		return lasting("There are %d beans of type DynamoDbClient".formatted(count),
				"Mark the one that elections shall use as @Primary", null);
	}

	static DynamoDbLeaseStoreException noToken(String item, String attribute, Object value) {
		return lasting(
				"%s has '%s' in '%s', which is no token, so that nothing passes".formatted(item, value, attribute),
				"Find out who wrote it, and remove it while nobody leads", null);
	}

	private static DynamoDbLeaseStoreException lasting(String problem, String action, @Nullable Throwable cause) {
		return new DynamoDbLeaseStoreException(problem, action, true, cause);
	}

	/** Whether it stays so until somebody changes something. */
	boolean isLasting() {
		return this.lasting;
	}

}
