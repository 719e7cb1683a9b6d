package io.leaderelection.dynamodb;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.fencing.Fence;
import io.leaderelection.fencing.StaleTokens;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Writes items to DynamoDB in a leader's name, unless a newer leader has written them
 * before. The highest token of an election is kept in the item itself, in the attribute
 * {@link #attribute}; every write is conditioned on it and raises it, in one request.
 *
 * <p>
 * Each item is fenced by itself: one that the new leader has not written yet still takes
 * the write of a former one. What was not written through the fence, or with its
 * condition, is not fenced, and what deletes the item deletes its token.
 */
public final class DynamoDbFence implements Fence {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final String NAME = "#leaderElectionFence";

	private static final String VALUE = ":leaderElectionFence";

	private static final String CONDITION = "(attribute_not_exists(%1$s) OR %1$s <= %2$s)".formatted(NAME, VALUE);

	/** A keyword, not a part of a placeholder. */
	private static final Pattern SET = Pattern.compile("(?i)(?<![\\w#:.])SET\\s");

	private final DynamoDbClient client;

	private final LeaseTable table;

	private final @Nullable StaleTokens staleTokens;

	/**
	 * A fence that reports to nobody.
	 * @param client the client that the writes go through, which somebody else closes
	 * @param tableName the table where {@link #check} keeps tokens
	 * @param keyAttribute the name of its partition key, which is a string
	 */
	public DynamoDbFence(DynamoDbClient client, String tableName, String keyAttribute) {
		this(client, new LeaseTable(tableName, keyAttribute, ""), null);
	}

	DynamoDbFence(DynamoDbClient client, LeaseTable table, @Nullable StaleTokens staleTokens) {
		this.client = client;
		this.table = table;
		this.staleTokens = staleTokens;
	}

	/**
	 * Lets the token pass, unless a higher one has passed before. Tokens that pass here
	 * are kept in the table of the elections, apart from those in items.
	 * @param token the token
	 * @throws StaleLeaderException if a higher token has passed
	 * @throws DynamoDbLeaseStoreException if DynamoDB does not answer
	 */
	@Override
	public void check(FencingToken token) {
		if (checkInProcess(token)) {
			return;
		}
		Deadline deadline = Deadline.in(PATIENCE);
		try {
			updateItem(token,
					UpdateItemRequest.builder()
						.tableName(this.table.name())
						.key(this.table.fence(token.election()))
						.overrideConfiguration(deadline.timeouts())
						.build());
		}
		catch (SdkException ex) {
			throw DynamoDbLeaseStoreException.of(this.table, ex);
		}
	}

	/**
	 * Puts an item, unless a leader with a higher token has written it before.
	 * @param token the token of the leadership that writes
	 * @param request the request
	 * @return the answer
	 * @throws StaleLeaderException if a higher token has passed; nothing was written
	 * @throws ConditionalCheckFailedException if the request's own condition was not met
	 */
	public PutItemResponse putItem(FencingToken token, PutItemRequest request) {
		try {
			return this.client.putItem(guard(token, request));
		}
		catch (ConditionalCheckFailedException ex) {
			throw refusal(token, "The item in '%s'".formatted(request.tableName()), ex);
		}
	}

	/**
	 * Updates an item, unless a leader with a higher token has written it before.
	 * @param token the token of the leadership that writes
	 * @param request the request
	 * @return the answer
	 * @throws StaleLeaderException if a higher token has passed; nothing was written
	 * @throws ConditionalCheckFailedException if the request's own condition was not met
	 */
	public UpdateItemResponse updateItem(FencingToken token, UpdateItemRequest request) {
		try {
			return this.client.updateItem(guard(token, request));
		}
		catch (ConditionalCheckFailedException ex) {
			throw refusal(token, "The item in '%s'".formatted(request.tableName()), ex);
		}
	}

	/**
	 * Adds the condition and the token to a request that the caller sends.
	 * @param token the token of the leadership that writes
	 * @param request the request
	 * @return the request with both
	 */
	public PutItemRequest guard(FencingToken token, PutItemRequest request) {
		if (checkInProcess(token)) {
			return request;
		}
		if (request.hasExpected()) {
			throw new IllegalArgumentException(
					"A request with 'expected' cannot be fenced: use a condition expression");
		}
		return request.toBuilder()
			.item(with(request.item(), attribute(token.election()), value(token)))
			.conditionExpression(condition(request.conditionExpression()))
			.expressionAttributeNames(with(request.expressionAttributeNames(), NAME, attribute(token.election())))
			.expressionAttributeValues(with(request.expressionAttributeValues(), VALUE, value(token)))
			.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
			.build();
	}

	/**
	 * Adds the condition and the token to a request that the caller sends.
	 * @param token the token of the leadership that writes
	 * @param request the request
	 * @return the request with both
	 */
	public UpdateItemRequest guard(FencingToken token, UpdateItemRequest request) {
		if (checkInProcess(token)) {
			return request;
		}
		if (request.hasExpected() || request.hasAttributeUpdates()) {
			throw new IllegalArgumentException(
					"A request with 'expected' or 'attributeUpdates' cannot be fenced: use expressions");
		}
		return request.toBuilder()
			.updateExpression(update(request.updateExpression()))
			.conditionExpression(condition(request.conditionExpression()))
			.expressionAttributeNames(with(request.expressionAttributeNames(), NAME, attribute(token.election())))
			.expressionAttributeValues(with(request.expressionAttributeValues(), VALUE, value(token)))
			.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
			.build();
	}

	/**
	 * The attribute that keeps the highest token of an election in an item.
	 * @param election the election
	 * @return its name
	 */
	public static String attribute(String election) {
		return "fencing_token." + election;
	}

	private static String condition(@Nullable String own) {
		return (own != null && !own.isBlank()) ? "(%s) AND %s".formatted(own, CONDITION) : CONDITION;
	}

	private static String update(@Nullable String own) {
		String assignment = NAME + " = " + VALUE;
		if (own == null || own.isBlank()) {
			return "SET " + assignment;
		}
		Matcher set = SET.matcher(own);
		return set.find() ? own.substring(0, set.end()) + assignment + ", " + own.substring(set.end())
				: own + " SET " + assignment;
	}

	private static AttributeValue value(FencingToken token) {
		return AttributeValue.fromN(Long.toString(token.value()));
	}

	private static <T> Map<String, T> with(Map<String, T> present, String name, T value) {
		Map<String, T> all = new HashMap<>(present);
		all.put(name, value);
		return all;
	}

	private boolean checkInProcess(FencingToken token) {
		return this.staleTokens != null && this.staleTokens.checkInProcess(token);
	}

	private RuntimeException refusal(FencingToken token, String item, ConditionalCheckFailedException failure) {
		String attribute = attribute(token.election());
		AttributeValue newest = failure.hasItem() ? failure.item().get(attribute) : null;
		if (newest == null) {
			return failure;
		}
		if (newest.n() == null) {
			return DynamoDbLeaseStoreException.noToken(item, attribute, newest);
		}
		long value = Long.parseLong(newest.n());
		if (value <= token.value()) {
			return failure;
		}
		StaleLeaderException refusal = new StaleLeaderException(token, new FencingToken(token.election(), value));
		return (this.staleTokens != null) ? this.staleTokens.refused(refusal) : refusal;
	}

}
