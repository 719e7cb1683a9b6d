package io.leaderelection.dynamodb;

import io.leaderelection.fencing.StaleTokens;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A fence in the application's DynamoDB, wherever its elections live.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DynamoDbLeaderElectionProperties.class)
public class DynamoDbFenceConfiguration {

	@Bean
	@ConditionalOnMissingBean
	DynamoDbFence leaderElectionDynamoDbFence(DynamoDbClient client, DynamoDbLeaderElectionProperties properties,
			StaleTokens staleTokens) {
		return new DynamoDbFence(client, DynamoDbLeaseStoreConfiguration.table(properties), staleTokens);
	}

}
