package io.leaderelection.dynamodb;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.leaderelection.store.Owner;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/**
 * Who stands by for what: an item per node, and one that names these, so that nobody has
 * to scan the table. A node that crashed is forgotten by the clocks of those who ask, and
 * its item is deleted when it is long out of date.
 */
final class Candidates {

	static final String ELECTIONS = "elections";

	/** In seconds, so that it can be the table's time to live. */
	static final String EXPIRES = "expires";

	static final String NODES = "nodes";

	private static final Duration LONG_AGO = Duration.ofHours(1);

	private final Dynamo dynamo;

	private final LeaseTable table;

	Candidates(Dynamo dynamo, LeaseTable table) {
		this.dynamo = dynamo;
		this.table = table;
	}

	void standBy(Owner node, Set<String> elections, Duration duration, Deadline deadline) {
		Map<String, AttributeValue> item = new HashMap<>(this.table.node(node.incarnation()));
		item.put(RecordItem.HOLDER, AttributeValue.fromS(node.nodeId()));
		item.put(RecordItem.INCARNATION, AttributeValue.fromS(node.incarnation()));
		item.put(ELECTIONS, AttributeValue.fromSs(List.copyOf(elections)));
		long expires = Instant.now().plus(duration).getEpochSecond() + 1;
		item.put(EXPIRES, AttributeValue.fromN(Long.toString(expires)));
		PutItemResponse answer = this.dynamo.ask(deadline,
				(client) -> client.putItem((request) -> request.tableName(this.table.name())
					.item(item)
					.returnValues(ReturnValue.ALL_OLD)
					.overrideConfiguration(deadline.timeouts())));
		if (answer.attributes().isEmpty()) {
			list("ADD", List.of(node.incarnation()), deadline);
			all(deadline);
		}
	}

	void withdraw(Owner node, Deadline deadline) {
		forget(List.of(node.incarnation()), deadline);
	}

	List<Owner> of(String election, Deadline deadline) {
		long now = Instant.now().getEpochSecond();
		return all(deadline).stream()
			.filter((item) -> expires(item) >= now && elections(item).contains(election))
			.map((item) -> new Owner(item.get(RecordItem.HOLDER).s(), item.get(RecordItem.INCARNATION).s()))
			.toList();
	}

	/** All that there is, without what is long out of date, which is deleted. */
	private List<Map<String, AttributeValue>> all(Deadline deadline) {
		GetItemResponse list = this.dynamo.ask(deadline,
				(client) -> client.getItem((request) -> request.tableName(this.table.name())
					.key(this.table.nodes())
					.consistentRead(true)
					.overrideConfiguration(deadline.timeouts())));
		AttributeValue names = list.item().get(NODES);
		if (names == null || !names.hasSs()) {
			return List.of();
		}
		Map<String, Map<String, AttributeValue>> items = new HashMap<>();
		Reading reading = new Reading(this.dynamo, this.table);
		reading.items(names.ss().stream().map(this.table::node).toList(), deadline).forEach((item) -> {
			if (item.get(RecordItem.HOLDER) != null && item.get(RecordItem.INCARNATION) != null) {
				items.put(item.get(RecordItem.INCARNATION).s(), item);
			}
		});
		long longAgo = Instant.now().minus(LONG_AGO).getEpochSecond();
		List<String> gone = new ArrayList<>(names.ss());
		gone.removeIf((incarnation) -> items.containsKey(incarnation) && expires(items.get(incarnation)) >= longAgo);
		forget(gone, deadline);
		return List.copyOf(items.values());
	}

	private void forget(List<String> incarnations, Deadline deadline) {
		if (incarnations.isEmpty()) {
			return;
		}
		for (String incarnation : incarnations) {
			this.dynamo.ask(deadline,
					(client) -> client.deleteItem((request) -> request.tableName(this.table.name())
						.key(this.table.node(incarnation))
						.overrideConfiguration(deadline.timeouts())));
		}
		list("DELETE", incarnations, deadline);
	}

	private void list(String action, List<String> incarnations, Deadline deadline) {
		this.dynamo.ask(deadline,
				(client) -> client.updateItem((request) -> request.tableName(this.table.name())
					.key(this.table.nodes())
					.updateExpression(action + " #nodes :nodes")
					.expressionAttributeNames(Map.of("#nodes", NODES))
					.expressionAttributeValues(Map.of(":nodes", AttributeValue.fromSs(incarnations)))
					.overrideConfiguration(deadline.timeouts())));
	}

	private static long expires(Map<String, AttributeValue> item) {
		AttributeValue expires = item.get(EXPIRES);
		return (expires != null && expires.n() != null) ? Long.parseLong(expires.n()) : 0;
	}

	private static List<String> elections(Map<String, AttributeValue> item) {
		AttributeValue elections = item.get(ELECTIONS);
		return (elections != null) ? elections.ss() : List.of();
	}

}
