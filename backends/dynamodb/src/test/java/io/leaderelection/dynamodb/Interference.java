package io.leaderelection.dynamodb;

import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.List;
import java.util.Map;

import io.leaderelection.servers.DynamoDbServer;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;

/**
 * Counts the attempts of a client, and lets them be throttled, answered in part, or their
 * answers get lost.
 */
final class Interference implements ExecutionInterceptor {

	private final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();

	private final AtomicInteger throttled = new AtomicInteger();

	private final AtomicInteger lost = new AtomicInteger();

	private final AtomicInteger partial = new AtomicInteger();

	private final AtomicReference<Runnable> beforeNextUpdate = new AtomicReference<>();

	/** Lets DynamoDB refuse so many updates for the moment. */
	void throttle(int updates) {
		this.throttled.set(updates);
	}

	/** Lets the answers to so many updates get lost. */
	void loseAnswers(int updates) {
		this.lost.set(updates);
	}

	/** Lets so many reads be answered for the first half of what was asked. */
	void answerInPart(int reads) {
		this.partial.set(reads);
	}

	/** Has something done once, between the look and the update that follows it. */
	void beforeNextUpdate(Runnable action) {
		this.beforeNextUpdate.set(action);
	}

	int count(String operation) {
		return this.attempts.getOrDefault(operation, new AtomicInteger()).get();
	}

	int count() {
		return this.attempts.values().stream().mapToInt(AtomicInteger::get).sum();
	}

	Map<String, AtomicInteger> counts() {
		return this.attempts;
	}

	void forget() {
		this.attempts.clear();
	}

	@Override
	public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
		String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
		this.attempts.computeIfAbsent(operation, (name) -> new AtomicInteger()).incrementAndGet();
		if (operation.equals("UpdateItem")) {
			Runnable action = this.beforeNextUpdate.getAndSet(null);
			if (action != null) {
				action.run();
			}
			if (take(this.throttled)) {
				throw ProvisionedThroughputExceededException.builder()
					.message("throttled")
					.statusCode(400)
					.awsErrorDetails(
							AwsErrorDetails.builder().errorCode("ProvisionedThroughputExceededException").build())
					.build();
			}
		}
	}

	@Override
	public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
		if ("UpdateItem".equals(attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME)) && take(this.lost)) {
			throw SdkClientException.create("lost");
		}
	}

	@Override
	public SdkResponse modifyResponse(Context.ModifyResponse context, ExecutionAttributes attributes) {
		if (!(context.response() instanceof BatchGetItemResponse answer) || !take(this.partial)) {
			return context.response();
		}
		String table = answer.responses().keySet().iterator().next();
		List<Map<String, AttributeValue>> items = new ArrayList<>(answer.responses().get(table));
		List<Map<String, AttributeValue>> left = items.subList(items.size() / 2, items.size());
		List<Map<String, AttributeValue>> keys = left.stream()
			.map((item) -> Map.of(DynamoDbServer.KEY, item.get(DynamoDbServer.KEY)))
			.toList();
		return answer.toBuilder()
			.responses(Map.of(table, List.copyOf(items.subList(0, items.size() / 2))))
			.unprocessedKeys(Map.of(table, KeysAndAttributes.builder().keys(keys).consistentRead(true).build()))
			.build();
	}

	private static boolean take(AtomicInteger count) {
		return count.getAndUpdate((left) -> Math.max(left - 1, 0)) > 0;
	}

}
