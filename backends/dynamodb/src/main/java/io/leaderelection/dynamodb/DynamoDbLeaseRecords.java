package io.leaderelection.dynamodb;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.leaderelection.store.observed.ConditionalWrite;
import io.leaderelection.store.observed.LeaseRecords;
import io.leaderelection.store.observed.RecordSnapshot;
import io.leaderelection.store.observed.WriteResult;
import io.leaderelection.store.observed.WriteResult.Conflict;
import io.leaderelection.store.observed.WriteResult.Unknown;
import io.leaderelection.store.observed.WriteResult.Written;
import io.leaderelection.store.Owner;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Keeps each record as an item: consistent reads, a hundred in a request, and one
 * conditional update for each write.
 */
final class DynamoDbLeaseRecords implements LeaseRecords {

	private final LeaseTable table;

	private final Dynamo dynamo;

	private final Reading reading;

	private final Candidates candidates;

	private final Runnable closing;

	DynamoDbLeaseRecords(DynamoDbClient client, LeaseTable table, Runnable closing) {
		this.table = table;
		this.dynamo = new Dynamo(client, table);
		this.reading = new Reading(this.dynamo, table);
		this.candidates = new Candidates(this.dynamo, table);
		this.closing = closing;
	}

	@Override
	public List<RecordSnapshot> read(List<String> elections, Duration limit) {
		List<Map<String, AttributeValue>> keys = elections.stream().map(this.table::election).toList();
		Map<AttributeValue, Map<String, AttributeValue>> items = new HashMap<>();
		this.reading.items(keys, Deadline.in(limit))
			.forEach((item) -> items.put(item.get(this.table.keyAttribute()), item));
		return keys.stream()
			.map((key) -> RecordItem.read(this.table, key, items.get(key.get(this.table.keyAttribute()))))
			.toList();
	}

	@Override
	public List<WriteResult> write(List<ConditionalWrite> writes, Duration limit) {
		Deadline deadline = Deadline.in(limit);
		return this.dynamo.together(deadline,
				writes.stream().<Supplier<WriteResult>>map((write) -> () -> write(write, deadline)).toList());
	}

	private WriteResult write(ConditionalWrite write, Deadline deadline) {
		String version = RecordItem.newVersion();
		UpdateItemRequest.Builder update = RecordItem.update(this.table, write, version);
		try {
			return this.dynamo.ask(deadline, (client) -> write(client, update, version, deadline));
		}
		catch (DynamoDbLeaseStoreException ex) {
			return new Unknown(ex);
		}
	}

	private static WriteResult write(DynamoDbClient client, UpdateItemRequest.Builder update, String version,
			Deadline deadline) {
		try {
			client.updateItem(update.overrideConfiguration(deadline.timeouts()).build());
			return new Written(version);
		}
		catch (ConditionalCheckFailedException ex) {
			// an earlier attempt may have done it, and its answer was lost
			boolean done = ex.hasItem() && AttributeValue.fromS(version).equals(ex.item().get(RecordItem.VERSION));
			return done ? new Written(version) : new Conflict();
		}
	}

	@Override
	public void registerCandidate(Owner node, Set<String> elections, Duration duration, Duration limit) {
		if (elections.isEmpty()) {
			this.candidates.withdraw(node, Deadline.in(limit));
		}
		else {
			this.candidates.standBy(node, elections, duration, Deadline.in(limit));
		}
	}

	@Override
	public List<Owner> candidates(String election, Duration limit) {
		return this.candidates.of(election, Deadline.in(limit));
	}

	@Override
	public List<String> limits() {
		return List.of(
				"A crashed leader is replaced one lease after its last renewal was seen by a node that follows, which "
						+ "looks once in a renew interval.",
				"A leader that stops is replaced when a node that follows looks next: DynamoDB wakes nobody.",
				"In a global table each region would have a leader of its own, so that one is refused at start if this "
						+ "application may see that it is one.",
				"A table that was restored or replaced brings back old leases or none: nodes that have seen newer ones "
						+ "wait for their end, nodes that start meanwhile do not, and tokens go on by the clocks of the "
						+ "nodes.");
	}

	@Override
	public void close() {
		this.dynamo.close();
		this.closing.run();
	}

}
