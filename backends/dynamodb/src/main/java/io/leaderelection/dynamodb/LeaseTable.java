package io.leaderelection.dynamodb;

import java.util.Map;
import java.util.Set;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Where the store keeps what: items of one table, with a partition key that is a string
 * and no sort key.
 *
 * <pre>
 * prefix election/{election}    the record of an election, stays for ever
 * prefix fence/{election}       the highest token that has passed the fence
 * prefix node/{incarnation}     what a node stands by for
 * prefix nodes                  the nodes that there are such items of
 * </pre>
 *
 * @param name the name of the table
 * @param keyAttribute the name of its partition key
 * @param prefix what all keys begin with
 */
record LeaseTable(String name, String keyAttribute, String prefix) {

	Map<String, AttributeValue> election(String election) {
		return key("election/" + election);
	}

	Map<String, AttributeValue> fence(String election) {
		return key("fence/" + election);
	}

	Map<String, AttributeValue> node(String incarnation) {
		return key("node/" + incarnation);
	}

	Map<String, AttributeValue> nodes() {
		return key("nodes");
	}

	/** A key that there is never an item of. */
	Map<String, AttributeValue> nobody() {
		return key("nobody");
	}

	private Map<String, AttributeValue> key(String key) {
		return Map.of(this.keyAttribute, AttributeValue.fromS(this.prefix + key));
	}

	/** The attribute that is the key, for messages. */
	String describe(Map<String, AttributeValue> key) {
		return "The item '%s' of the table '%s'".formatted(key.get(this.keyAttribute).s(), this.name);
	}

	static boolean isAttribute(String name) {
		return Set.of(RecordItem.TOKEN, RecordItem.DURATION, RecordItem.HOLDER, RecordItem.INCARNATION,
				RecordItem.RESERVED_FOR, RecordItem.VERSION, Candidates.ELECTIONS, Candidates.EXPIRES, Candidates.NODES)
			.contains(name);
	}

}
