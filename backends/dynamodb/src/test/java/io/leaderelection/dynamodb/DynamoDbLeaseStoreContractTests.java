package io.leaderelection.dynamodb;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import io.leaderelection.servers.DynamoDbServer;
import io.leaderelection.servers.TcpProxy;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.test.contract.HostileRecord;
import io.leaderelection.test.contract.LeaseStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The contract of stores, for DynamoDB; each test has a prefix of its own.
 */
class DynamoDbLeaseStoreContractTests extends LeaseStoreContract {

	private static TcpProxy proxy;

	private final DynamoDbServer server = DynamoDbServer.get();

	private final String prefix = UUID.randomUUID() + "/";

	@BeforeAll
	static void openProxy() throws IOException {
		proxy = new TcpProxy(DynamoDbServer.get()::port);
	}

	@AfterAll
	static void closeProxy() throws IOException {
		proxy.close();
	}

	@Override
	protected LeaseStore newStore() {
		return newStore(this.prefix);
	}

	@Override
	protected LeaseStore newStoreWithOtherPrefix() {
		return newStore("other/" + this.prefix);
	}

	private LeaseStore newStore(String prefix) {
		DynamoDbClient client = DynamoDbServer.connect(proxy.port());
		return new DynamoDbLeaseStore(client, table(prefix), client::close);
	}

	private static LeaseTable table(String prefix) {
		return new LeaseTable(DynamoDbServer.TABLE, DynamoDbServer.KEY, prefix);
	}

	@Override
	protected void loseAllData() {
		this.server.deleteAll(this.prefix);
	}

	@Override
	protected void pauseServer() {
		proxy.swallow();
	}

	@Override
	protected void resumeServer() {
		proxy.forward();
	}

	@Override
	protected void plant(HostileRecord hostile, String election) {
		Map<String, AttributeValue> key = table(this.prefix).election(election);
		Map<String, AttributeValue> item = new HashMap<>(this.server.admin()
			.getItem((request) -> request.tableName(DynamoDbServer.TABLE).key(key).consistentRead(true))
			.item());
		if (item.isEmpty()) {
			item.put(RecordItem.TOKEN, AttributeValue.fromN("1"));
			item.put(RecordItem.DURATION, AttributeValue.fromS(Duration.ofSeconds(10).toString()));
			item.put(RecordItem.VERSION, AttributeValue.fromS("planted"));
		}
		switch (hostile) {
			case GARBAGE -> {
				item.clear();
				item.put("leader", AttributeValue.fromS("me"));
			}
			case NEGATIVE_TOKEN -> item.put(RecordItem.TOKEN, AttributeValue.fromN("-1"));
			case HIGHEST_TOKEN -> item.put(RecordItem.TOKEN, AttributeValue.fromN(Long.toString(Long.MAX_VALUE)));
			case OTHER_OWNER, OWNER_WITH_CONTROL_CHARACTERS -> {
				item.put(RecordItem.HOLDER,
						AttributeValue.fromS(hostile.text().isEmpty() ? "stranger" : hostile.text()));
				item.put(RecordItem.INCARNATION, AttributeValue.fromS("unheard of"));
				item.put(RecordItem.DURATION, AttributeValue.fromS(Duration.ofMinutes(1).toString()));
			}
			case TOKEN_HEXADECIMAL -> item.put(RecordItem.TOKEN, AttributeValue.fromS(hostile.text()));
			case TOKEN_OVERFLOW -> item.put(RecordItem.TOKEN, AttributeValue.fromN(hostile.text()));
			case END_NAN, END_HEXADECIMAL, END_OVERFLOW -> cannot("plant an end, since items have none");
			default -> item.put(RecordItem.DURATION, AttributeValue.fromS(hostile.text()));
		}
		item.putAll(key);
		this.server.admin().putItem((request) -> request.tableName(DynamoDbServer.TABLE).item(item));
	}

}
