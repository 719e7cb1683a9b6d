package io.leaderelection.dynamodb;

import io.leaderelection.store.observed.ObservedLeaseStore;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Keeps leases in a DynamoDB table of one region. Each election has an item that is only
 * ever changed by an update conditioned on what it was; when a lease has ended is decided
 * by how long its item was seen unchanged, see {@link ObservedLeaseStore}.
 */
public final class DynamoDbLeaseStore extends ObservedLeaseStore {

	/**
	 * A store on a client that somebody else closes, with keys that begin with nothing in
	 * particular.
	 * @param client the client
	 * @param tableName the name of the table
	 * @param keyAttribute the name of its partition key, which is a string
	 */
	public DynamoDbLeaseStore(DynamoDbClient client, String tableName, String keyAttribute) {
		this(client, new LeaseTable(tableName, keyAttribute, ""), () -> {
		});
	}

	DynamoDbLeaseStore(DynamoDbClient client, LeaseTable table, Runnable closing) {
		super(new DynamoDbLeaseRecords(client, table, closing));
	}

}
