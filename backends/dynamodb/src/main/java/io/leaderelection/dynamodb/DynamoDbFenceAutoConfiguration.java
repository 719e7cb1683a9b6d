package io.leaderelection.dynamodb;

import io.leaderelection.LeaderElections;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.autoconfigure.FencingAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.fencing.StaleTokens;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;

/**
 * A fence in the application's DynamoDB, wherever its elections live.
 */
@AutoConfiguration(after = { LeaderElectionAutoConfiguration.class, LeaderOnlyAutoConfiguration.class },
		before = FencingAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(DynamoDbClient.class)
@ConditionalOnBean(LeaderElections.class)
@ConditionalOnSingleCandidate(DynamoDbClient.class)
@EnableConfigurationProperties(DynamoDbLeaderElectionProperties.class)
public final class DynamoDbFenceAutoConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	DynamoDbFence leaderElectionDynamoDbFence(DynamoDbClient client, DynamoDbLeaderElectionProperties properties,
			StaleTokens staleTokens) {
		return new DynamoDbFence(client, DynamoDbLeaderElectionAutoConfiguration.table(properties), staleTokens);
	}

}
