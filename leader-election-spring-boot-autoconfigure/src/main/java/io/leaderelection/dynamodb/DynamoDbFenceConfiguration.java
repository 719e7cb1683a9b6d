package io.leaderelection.dynamodb;

import io.leaderelection.fencing.StaleTokens;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * A fence in the application's DynamoDB, wherever its elections live.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DynamoDbClient.class)
@ConditionalOnSingleCandidate(DynamoDbClient.class)
@EnableConfigurationProperties(DynamoDbLeaderElectionProperties.class)
public class DynamoDbFenceConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	DynamoDbFence leaderElectionDynamoDbFence(DynamoDbClient client, DynamoDbLeaderElectionProperties properties,
			StaleTokens staleTokens) {
		return new DynamoDbFence(client, DynamoDbLeaseStoreConfiguration.table(properties), staleTokens);
	}

}
