package io.leaderelection.dynamodb;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.leaderelection.autoconfigure.ConditionalOnBackend;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionBackend;
import io.leaderelection.dynamodb.DynamoDbLeaderElectionProperties.InitializeTable;
import io.leaderelection.store.LeaseStore;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * Elections in DynamoDB: on the application's own {@link DynamoDbClient} if it has one,
 * and otherwise on a client made from properties.
 */
@AutoConfiguration(before = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(DynamoDbClient.class)
@ConditionalOnBackend("dynamodb")
@ConditionalOnMissingBean(LeaseStore.class)
@EnableConfigurationProperties(DynamoDbLeaderElectionProperties.class)
public final class DynamoDbLeaderElectionAutoConfiguration {

	private static final String PREFIX = "leader-election.dynamodb.";

	private static final Pattern TABLE_NAME = Pattern.compile("[a-zA-Z0-9_.-]{3,255}|arn:[^\\s]+");

	/** Keys have 2048 bytes at most, and the names of elections need some of them. */
	private static final int LONGEST_PREFIX = 100;

	@Bean
	LeaderElectionBackend leaderElectionBackend() {
		return new DynamoDbBackend();
	}

	@Bean
	DynamoDbLeaseStore leaderElectionLeaseStore(DynamoDbLeaderElectionProperties properties,
			ObjectProvider<DynamoDbClient> clients) {
		LeaseTable table = table(properties);
		if (clients.stream().findAny().isPresent()) {
			DynamoDbClient client = theOne(clients, properties);
			return store(client, table, properties, () -> {
			});
		}
		DynamoDbClient client = connect(properties);
		try {
			return store(client, table, properties, client::close);
		}
		catch (DynamoDbLeaseStoreException ex) {
			client.close();
			throw ex;
		}
	}

	private static DynamoDbLeaseStore store(DynamoDbClient client, LeaseTable table,
			DynamoDbLeaderElectionProperties properties, Runnable closing) {
		new TableCheck(client, table).run(properties.getInitializeTable() == InitializeTable.ALWAYS);
		return new DynamoDbLeaseStore(client, table, closing);
	}

	private static DynamoDbClient theOne(ObjectProvider<DynamoDbClient> clients,
			DynamoDbLeaderElectionProperties properties) {
		DynamoDbClient client = clients.getIfUnique();
		if (client == null) {
			throw DynamoDbLeaseStoreException.severalClients(clients.stream().count());
		}
		Map<String, @Nullable Object> without = new LinkedHashMap<>();
		without.put("region", properties.getRegion());
		without.put("endpoint", properties.getEndpoint());
		String set = without.entrySet()
			.stream()
			.filter((property) -> Objects.nonNull(property.getValue()))
			.map((property) -> PREFIX + property.getKey())
			.collect(Collectors.joining(" and "));
		if (!set.isEmpty()) {
			throw DynamoDbLeaseStoreException.settingsWithoutEffect(set);
		}
		return client;
	}

	private static DynamoDbClient connect(DynamoDbLeaderElectionProperties properties) {
		DynamoDbClientBuilder builder = DynamoDbClient.builder();
		if (properties.getRegion() != null) {
			builder.region(Region.of(properties.getRegion()));
		}
		if (properties.getEndpoint() != null) {
			if (properties.getEndpoint().getHost() == null) {
				throw invalid("endpoint", properties.getEndpoint(),
						"It has to be an address such as 'http://localhost:8000'.");
			}
			builder.endpointOverride(properties.getEndpoint());
		}
		try {
			return builder.build();
		}
		catch (SdkException ex) {
			throw new DynamoDbLeaseStoreException("A client of DynamoDB cannot be made: " + ex.getMessage(), ex);
		}
	}

	static LeaseTable table(DynamoDbLeaderElectionProperties properties) {
		if (!TABLE_NAME.matcher(properties.getTableName()).matches()) {
			throw invalid("table-name", properties.getTableName(),
					"It has to be the name of a table, of 3 to 255 letters, digits, '_', '-' and '.', or its ARN.");
		}
		if (properties.getKeyAttribute().isBlank() || LeaseTable.isAttribute(properties.getKeyAttribute())) {
			throw invalid("key-attribute", properties.getKeyAttribute(),
					"It has to be the name of the partition key, and not that of an attribute of a record.");
		}
		if (properties.getKeyPrefix().length() > LONGEST_PREFIX) {
			throw invalid("key-prefix", properties.getKeyPrefix(),
					"It may have %d characters at most.".formatted(LONGEST_PREFIX));
		}
		return new LeaseTable(properties.getTableName(), properties.getKeyAttribute(), properties.getKeyPrefix());
	}

	private static InvalidConfigurationPropertyValueException invalid(String property, @Nullable Object value,
			String reason) {
		return new InvalidConfigurationPropertyValueException(PREFIX + property, value, reason);
	}

}
