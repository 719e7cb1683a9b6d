package io.leaderelection.dynamodb;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/**
 * Reads items as they are now, many in one request.
 */
final class Reading {

	/** As many as DynamoDB allows. */
	private static final int ITEMS_PER_REQUEST = 100;

	private final Dynamo dynamo;

	private final LeaseTable table;

	Reading(Dynamo dynamo, LeaseTable table) {
		this.dynamo = dynamo;
		this.table = table;
	}

	/** Those items that there are, in any order. */
	List<Map<String, AttributeValue>> items(List<Map<String, AttributeValue>> keys, Deadline deadline) {
		List<Map<String, AttributeValue>> distinct = List.copyOf(new LinkedHashSet<>(keys));
		List<Supplier<List<Map<String, AttributeValue>>>> requests = IntStream
			.range(0, (distinct.size() + ITEMS_PER_REQUEST - 1) / ITEMS_PER_REQUEST)
			.mapToObj((i) -> distinct.subList(i * ITEMS_PER_REQUEST,
					Math.min((i + 1) * ITEMS_PER_REQUEST, distinct.size())))
			.<Supplier<List<Map<String, AttributeValue>>>>map((part) -> () -> part(part, deadline))
			.toList();
		return this.dynamo.together(deadline, requests).stream().flatMap(List::stream).toList();
	}

	private List<Map<String, AttributeValue>> part(List<Map<String, AttributeValue>> keys, Deadline deadline) {
		List<Map<String, AttributeValue>> items = new ArrayList<>();
		Map<String, KeysAndAttributes> open = Map.of(this.table.name(),
				KeysAndAttributes.builder().keys(keys).consistentRead(true).build());
		for (int attempts = 0; !open.isEmpty(); attempts++) {
			// what was left out was throttled
			if (attempts > 0 && !deadline.allowsAnother(attempts)) {
				throw new DynamoDbLeaseStoreException(
						"DynamoDB left %d of %d items unread".formatted(keys.size() - items.size(), keys.size()), null);
			}
			Map<String, KeysAndAttributes> asked = open;
			BatchGetItemResponse answer = this.dynamo.ask(deadline, (client) -> client
				.batchGetItem((request) -> request.requestItems(asked).overrideConfiguration(deadline.timeouts())));
			items.addAll(answer.responses().getOrDefault(this.table.name(), List.of()));
			open = answer.unprocessedKeys();
		}
		return items;
	}

}
